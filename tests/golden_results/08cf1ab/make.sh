#!/usr/bin/env bash
# make.sh PROGRAM: makes results/ anew with a layerlab of this version.
set -u
cd "$(dirname "$0")"
export OMP_NUM_THREADS=1
program=$1
run() { "$program" --quiet "$@" --out results --jobs 1; }
rm -rf results
run verify claims.toml
run verify search.toml
for experiment in origin own_block diverged bfloat16 pair analyses; do run run $experiment.toml; done
# Interrupted when the first checkpoint is there.
"$program" --quiet run interrupted.toml --out results &
until compgen -G 'results/cells/*/checkpoint/step-000000020*' >/dev/null; do sleep 0.02; done
kill -INT $!
wait
# What later versions have no need of.
rm -f results/cells/*/lock
