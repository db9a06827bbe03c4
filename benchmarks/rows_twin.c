// Brute force for edge matching in plain C: the nodes of `rows`, filling from the top left row by
// row and trying each of identical tiles. A tile after which nothing fits the next cell is taken
// back at once, as `rows` does. Slots are the bits that stand for tiles; those of the corner, of
// the border and of the inside have a word each. The test's `Twin` says what is in the tables; they
// lie at file scope, so that the compiler knows them apart.

#include <stdint.h>
#include <string.h>

typedef uint64_t Word;

enum { CELLS = 256, KEYS = 16 * 32 * 32, SLOTS = 64 };

Word size[2];  // the width, and how many cells there are
Word base[CELLS], word[CELLS];
Word fitting[KEYS];
uint32_t shown[KEYS][SLOTS];
Word taken[3][SLOTS], unused[3];

static Word above[2 * CELLS];  // by cell: what the cell above adds to the key, 0 at the top
static Word nodes, solutions;

static void fill(Word cell, Word key, Word fits) {
    if (cell + 1 == size[1]) {
        const Word found = (Word)__builtin_popcountll(fits);
        nodes += found;
        solutions += found;
        return;
    }
    const Word here = word[cell], there = word[cell + 1];
    const Word next = base[cell + 1] + above[cell + 1];
    const Word before = unused[here];
    for (; fits; fits &= fits - 1) {
        const Word slot = (Word)__builtin_ctzll(fits);
        const uint32_t both = shown[key][slot];
        nodes++;
        unused[here] = before ^ taken[here][slot];
        const Word next_key = next + (both >> 16);
        const Word next_fits = fitting[next_key] & unused[there];
        if (next_fits) {
            above[cell + size[0]] = both & 0xffff;
            fill(cell + 1, next_key, next_fits);
        }
    }
    unused[here] = before;
}

void rows_twin(Word *found) {  // nodes and solutions
    memset(above, 0, sizeof above);
    nodes = solutions = 0;
    fill(0, base[0], fitting[base[0]] & unused[word[0]]);
    found[0] = nodes;
    found[1] = solutions;
}
