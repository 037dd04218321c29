// Where in a program the places of a file are.
#pragma once

#include "conform/tensor_names.h"
#include "equation/program.h"

namespace layerlab::conform {

// Index of the tap (Program::taps) where the value passes that `name` names, or -1:
//   block_in.l, block_out.l            the stream on entering and leaving block l
//   block_in_dual.l, block_out_dual.l  the second stream of `start`
//   block_…_streams.l                  a stream of several, [n, D]
//   stream_after_attn.l                the stream on leaving block l's self-attention
//   at.l.SUBLAYER.ROLE                 that site
int locate(const SiteName& name, const equation::Program& program);

}  // namespace layerlab::conform
