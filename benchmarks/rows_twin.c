// Brute force for edge matching in plain C: the nodes of `rows`, filling from the top left row by
// row and trying each of identical tiles. Slots are the bits that stand for tiles; those of the
// corner, of the border and of the inside have a word each. See `Twin` in the test for the arrays.

#include <stdint.h>

typedef uint64_t Word;

enum { MOST_CELLS = 256 };

struct Board {
    Word width, cells, colours;
    const Word *place;      // which sides of a cell lie on the frame, four bits, by cell
    const Word *fitting;    // by place, colour to the left and above: slots, then their word
    const uint32_t *shown;  // the same by slot: the colour shown downwards, then to the right
    const Word *taken;      // by word and slot: all slots of the tile
    Word *unused;           // by word
    Word nodes, solutions;
};

static Word right[MOST_CELLS], below[MOST_CELLS];

static void fill(struct Board *board, Word cell) {
    const Word left = cell % board->width ? right[cell - 1] : 0;
    const Word above = cell >= board->width ? below[cell - board->width] : 0;
    const Word key = (board->place[cell] * board->colours + left) * board->colours + above;
    const Word word = board->fitting[2 * key + 1];
    for (Word todo = board->fitting[2 * key] & board->unused[word]; todo; todo &= todo - 1) {
        const Word slot = (Word)__builtin_ctzll(todo);
        board->nodes++;
        if (cell + 1 == board->cells) {
            board->solutions++;
            continue;
        }
        const uint32_t both = board->shown[64 * key + slot];
        below[cell] = both & 0xffff;
        right[cell] = both >> 16;
        board->unused[word] ^= board->taken[64 * word + slot];
        fill(board, cell + 1);
        board->unused[word] ^= board->taken[64 * word + slot];
    }
}

void rows_twin(struct Board *board) { fill(board, 0); }
