// What the compiler of equations refuses in blocks of a file.

#include <gtest/gtest.h>

#include "core/toml.h"
#include "equation/block_toml.h"
#include "equation/program.h"
#include "tests/equation/small_sizes.h"
#include "tests/support/user_error.h"

namespace layerlab::equation {
namespace {

struct Mistake {
  const char* text;
  const char* line;
};

class ExpressionRefuses : public testing::TestWithParam<Mistake> {};

TEST_P(ExpressionRefuses, WithPlaceAndRemedy) {
  EXPECT_EQ(refusal([] {
              compile(read_block("", parse_toml_text(GetParam().text, "a.toml")), sizes(1));
            }),
            std::string("a.toml:") + GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ExpressionRefuses,
    testing::Values(
        Mistake{"equation = 'x + F(L2(x, eps=1))'",
                "1:25: expected eps only in LN, RMS and N; it changes nothing in L2"},
        Mistake{"equation = 'x + F(RMS(x, bias=1))'",
                "1:26: expected bias only in LN, DyT and N; it changes nothing in RMS"},
        Mistake{"equation = 'x + F(DyT(x, eps=1))'",
                "1:26: expected eps only in LN, RMS and N; it changes nothing in DyT"},
        Mistake{"equation = 'x + F(LN(x, bias=1, affine=0))'",
                "1:25: expected no bias beside affine=0; there is no weight and no bias"},
        Mistake{"equation = 'x + F(LN(x, scope=block))'\nfinish = 'LN_a(RMS_a(x, scope=stack), "
                "scope=stack)'",
                "2:11: expected the same kind and options wherever final_norm_a stands; name this "
                "one, for example LN_a_out"},
        Mistake{"equation = 'x + F(x, mid_norm=LN_foo)'",
                "1:31: expected a norm without a suffix for mid_norm, got LN_foo; write LN; it is "
                "called norm_mid"},
        Mistake{"equation = 'x + F(x, mid_norm=LN(scope=block))'",
                "1:34: expected no scope in a norm of mid_norm; it belongs to its branch"},
        Mistake{"equation = 'x + F(x, qk_norm=head(affine=0))'",
                "1:30: expected a weight in a norm of qk_norm; qk_norm=unit has none"},
        Mistake{"equation = 'LN(alph*x + F(x))'\nconst = { alpha = 2 }",
                "1:16: expected a known name, got 'alph'; did you mean 'alpha'?"},
        Mistake{"equation = 'x + F(x)'\nconst = { x = 2 }",
                "2:11: expected a free name, and x is the stream; take another, for example alpha"},
        Mistake{"equation = 'x + a*F(x)'\nconst = { a = 2 }\nparam = { a = { init = 1 } }",
                "3:11: expected a free name, and a is a const too; take another name for one of "
                "them"},
        Mistake{"equation = 'x + F(x)'\ninit = { q = -1 }",
                "2:14: expected a standard deviation of at least 0 for q, got -1"},
        Mistake{"equation = 'x + g*F(x)'\nparam = { g = { scope = 'stack', init = '1/l' } }",
                "2:44: expected a number that is known here, got 'l'; it differs from block to "
                "block"},
        Mistake{"equation = 'x + g*F(x)'\nparam = { g = { shape = 'vector', init = 'j' } }",
                "2:43: expected a number that is known here, got 'j'; i counts the elements of a "
                "vector in its init, i and j the rows and columns of a matrix"},
        Mistake{"equation = 'LN(x + g*F(x))'\nparam = { g = { init = 1, profiled = true } }",
                "2:11: expected g, as it is profiled, to weigh the skip; write for example LN(g*x "
                "+ F(x)), or leave profiled out"},
        Mistake{"equation = 'x + F(x)'\nstart = 'y = x'",
                "2:10: expected y to be used; read it in the equation or in finish, or remove the "
                "statement"},
        Mistake{"layers = [{ block = 'pre_ln' }, { block = 'post_ln' }]",
                "1:11: expected a count, since other blocks follow; only the last may leave it "
                "out"},
        Mistake{"layers = [{ block = 'pre_ln', count = 99 }]",
                "1:39: expected at most 1 of 1 blocks here, got 99; write for example "
                "min(4, L)"},
        Mistake{"equation = 'x + F(x)/0'", "1:21: expected a number other than 0 to divide by"},
        Mistake{"equation = 'x + sqrt(-1)*F(x)'", "1:17: expected a finite number, got -nan"},
        Mistake{"equation = 'x + sqrt(x)*F(x)'", "1:22: expected a number in sqrt(...)"},
        Mistake{"equation = 'x + tanh(2)*F(x)'",
                "1:22: expected a tensor in tanh(...), got a number"},
        Mistake{"equation = 'x + tanh(F(x), eps=1)'", "1:28: expected no options in tanh(...)"},
        Mistake{"equation = 'x + T(F(x))'", "1:17: expected a matrix in T(...)"},
        Mistake{"equation = 'x + sum(F(x))'",
                "1:17: expected several streams, [n, D], in sum(...)"},
        Mistake{"equation = 'x[0] + F(x)'",
                "1:14: expected several streams, of shape [n, D], before ["},
        Mistake{"equation = 'x + repeat(F(x), 3)[3]'", "1:32: expected an index below 3, got 3"},
        Mistake{"equation = 'x + repeat(F(x), 1.5)[0]'",
                "1:17: expected repeat(value, n) with a whole number n from 1 to 1024"},
        Mistake{"equation = 'x + outer(2, F(x))'", "1:17: expected two vectors in outer(...)"},
        Mistake{"equation = 'x + 2 @ F(x)'", "1:19: expected tensors around @"},
        Mistake{"equation = 'x + F(x) @ repeat(x, 3)'",
                "1:22: expected shapes that @ goes with, got [8] and [3, 8]"},
        Mistake{"equation = 'x + repeat(F(x), 3)'", "1:15: expected [8] for x, got [3, 8]"},
        Mistake{"equation = 'x + GRU(F(x))'", "1:17: expected GRU(input, state)"},
        Mistake{"equation = 'x + GRU(F(x), repeat(x, 2))'", "1:27: expected [8] in GRU(...)"},
        Mistake{"equation = 'x + F(x, qk_norm=3)'",
                "1:30: expected head, heads, vector or unit for qk_norm"},
        Mistake{"equation = 'x + F(x, v_norm=vector)'", "1:29: expected head for v_norm"},
        Mistake{"equation = 'x + F(x, head_scale=1)'",
                "1:33: expected before or after for head_scale; that is, before or after W_o"},
        Mistake{"equation = 'x + head_scale*F(x, head_scale=after)'\n"
                "param = { head_scale = { init = 1 } }",
                "2:11: expected a free name, and head_scale is the branch's own scale; "
                "take another, for example scale"},
        Mistake{"equation = 'x + F(x, scale=0)'", "1:28: expected a number above 0 for scale"},
        Mistake{"equation = 'x + F(x, qk_gain=2)'",
                "1:30: expected a learned vector [8] for qk_gain; declare it under param"},
        Mistake{"equation = 'x + F(x, mid_norm=LN(x))'",
                "1:34: expected only options in a norm of mid_norm"},
        Mistake{"equation = 'x + F(x, mid_norm=3)'",
                "1:31: expected a norm, got ''; known: LN, RMS, L2, ScaleNorm, DyT, N"},
        Mistake{"equation = 'x + F(LN(x, affine=2))'", "1:32: expected 0 or 1 for affine"},
        Mistake{"equation = 'x + F(LN(x, scope=all))'",
                "1:31: expected sublayer, block or stack for scope"},
        Mistake{"equation = 'x + M(x, qk_norm=head) + A(x)'",
                "1:22: expected an option of M, got 'qk_norm'; did you mean 'mid_norm'?"},
        Mistake{"equation = 'x + C(x)'",
                "1:13: expected a branch other than C, which needs a memory to read from"},
        Mistake{"equation = 'x + a*F(x)'\nconst = { a = 1, b = 2 }",
                "2:18: expected b to be used; use it in the equation, or remove it"},
        Mistake{"equation = 'x + F(x)'\nparam = { g = { init = 1 } }",
                "2:11: expected g to be used; use it in the equation, or remove it"},
        Mistake{"equation = 'a = F(x); x = x + a'\nconst = { a = 1 }",
                "1:13: expected a free name, and a is declared under const or param"},
        Mistake{"equation = 'x + g*F(x)'\nparam = { g = { shape = [0], init = 1 } }",
                "2:26: expected a whole number from 1, got 0.000000"},
        Mistake{"equation = 'x + g*F(x)'\nparam = { g = { shape = [3], init = 1 } }",
                "1:18: expected shapes that go together, got [3] and [8]; outer(a, b) makes [n, D] "
                "of [n] and [D]"},
        Mistake{"equation = 'x + g*F(x)'\nparam = { g = { shape = [1e4, 1e4], init = 1 } }",
                "1:17: expected g to have at most 1e7 numbers"},
        Mistake{
            "equation = 'x + F(x)'\ngain = { attn.up = 1 }",
            "2:15: expected a matrix of this block, got 'attn.up'; known: attn.q, attn.k, attn.v, "
            "attn.o"},
        Mistake{"equation = 'x + F(x)'\ngain = { atn.v = 1 }",
                "2:14: expected a matrix of this block, got 'atn.v'; did you mean 'attn.v'?"},
        Mistake{"equation = 'x + A(x)'\ninit = { down = 1 }",
                "2:10: expected a matrix of this block, got 'down'; known: embedding, q, k, v, o"},
        Mistake{"equation = 'h = h + F(x)'\nstart = 'h = x'",
                "1:13: expected finish to make x of h; write for example finish = \"LN(h)\""},
        Mistake{"equation = 'h = repeat(F(x), 2)'\nstart = 'h = repeat(x, 3)'\nfinish = 'sum(h)'",
                "1:17: expected [3, 8] for h, got [2, 8]"}));

}  // namespace
}  // namespace layerlab::equation
