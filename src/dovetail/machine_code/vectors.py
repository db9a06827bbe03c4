"""Vectors of words, as code for LLVM. Imported with numba."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dovetail.machine_code.sizes import LANES

WORD = ir.IntType(64)
EIGHT_WORDS = ir.VectorType(WORD, LANES)
BYTES_PER_WORD = 8


@intrinsic
def disjoint_vectors(typing_context, masks, at, stride, board):
    """As `kernels.bits.plain_disjoint`, without looking at bounds."""
    words = len(board)

    def generate(context, builder, signature, arguments):
        array, first, step, board_words = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        taken = ir.Constant(EIGHT_WORDS, [0] * LANES)
        for word in range(words):
            everywhere = splat(builder, builder.extract_value(board_words, word))
            masked = builder.and_(load_vector(builder, data, first), everywhere)
            taken = builder.or_(taken, masked)
            first = builder.add(first, step)
        free = builder.icmp_unsigned("==", taken, ir.Constant(EIGHT_WORDS, [0] * LANES))
        return builder.zext(builder.bitcast(free, ir.IntType(LANES)), WORD)

    return types.uint64(masks, types.uint64, types.uint64, board), generate


def splat(builder, word, lanes=LANES):
    """Return a vector of the same word in all lanes."""
    undefined = ir.Constant(ir.VectorType(WORD, lanes), ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(first, undefined, order)


def load_vector(builder, pointer, offset, lanes=LANES):
    """Return the words that lie behind a pointer from an offset on."""
    vector = ir.VectorType(WORD, lanes)
    words = builder.load(builder.bitcast(builder.gep(pointer, [offset]), vector.as_pointer()))
    words.align = BYTES_PER_WORD
    return words
