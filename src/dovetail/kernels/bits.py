"""Bits of 64-bit words, as single machine instructions.

Intrinsics, since a de Bruijn multiplication costs 18 % of a FILA search and a loop over bits
81 %. They do not run with the JIT switched off: tests use twins in plain Python.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dovetail.jit import kernel
from dovetail.kernels.lanes import LANES

WORD = ir.IntType(64)
EIGHT_WORDS = ir.VectorType(WORD, LANES)
BYTES_PER_WORD = 8


@intrinsic
def trailing_zeros(typing_context, word):
    """The number of the lowest bit set in a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def leading_zeros(typing_context, word):
    """How many bits lie above the highest bit set in a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def ones(typing_context, word):
    """How many bits of a uint64 are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@kernel(inline=True)
def disjoint_lanes(masks, at, stride, board):
    """Which of eight masks have no bit in common with `board`, as bits 0 to 7.

    `board` is a tuple of uint64 words. The first words of the masks are `masks[at : at + 8]`,
    their second words lie `stride` further on, and so on.
    """
    masks[at + types.uint64(len(board) - 1) * stride + types.uint64(LANES - 1)]  # in bounds?
    return _disjoint_lanes(masks, at, stride, board)


@intrinsic
def _disjoint_lanes(typing_context, masks, at, stride, board):
    words = len(board)

    def generate(context, builder, signature, arguments):
        array, first, step, board_words = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        taken = ir.Constant(EIGHT_WORDS, [0] * LANES)
        for word in range(words):
            here = builder.bitcast(builder.gep(data, [first]), EIGHT_WORDS.as_pointer())
            lanes = builder.load(here)
            lanes.align = BYTES_PER_WORD
            everywhere = _splat(builder, builder.extract_value(board_words, word))
            taken = builder.or_(taken, builder.and_(lanes, everywhere))
            first = builder.add(first, step)
        free = builder.icmp_unsigned("==", taken, ir.Constant(EIGHT_WORDS, [0] * LANES))
        return builder.zext(builder.bitcast(free, ir.IntType(LANES)), WORD)

    return types.uint64(masks, types.uint64, types.uint64, board), generate


def _splat(builder, word):
    """A vector of eight times the same word."""
    undefined = ir.Constant(EIGHT_WORDS, ir.Undefined)
    one = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, undefined, lanes)
