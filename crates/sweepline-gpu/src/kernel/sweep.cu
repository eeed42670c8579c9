/* The kernels: the part that does not depend on the model.
 *
 * The text before this file defines the model:
 *   WORDS        words of a state
 *   CELLS        how a cell of a table is claimed: ONE, PAIR or TAGGED
 *   EMPTY0, EMPTY1  bits that no state has, which mark an empty cell (ONE, PAIR)
 *   N_TABLES     tables that a step can reach
 *   N_GROUPS     groups of 64 transitions
 *   MASKS        N_GROUPS if a condition asks which transitions are enabled, else 1
 *   enabled(group, state)   the enabled transitions of a group, one bit each
 *   has_room(transition, state), if ROOM
 *   ADDITION[transition * WORDS + word], TARGET[transition], REGRESS[transition]
 *   BIAS, and the instructions of judge.cu
 * and the words KERNEL, DEVICE, TABLE, shared, and those of the machine: block(), blocks(), thread(), threads(),
 * barrier(), atomics and fences.
 *
 * The text is both CUDA C++ and C, so that a test can compile it for a processor.
 */

/* A table of states, as a step sees it. Pointers are numbers, so that the host writes the same structure. */
typedef struct {
    u64 cells;    /* WORDS words each */
    u64 tags;     /* 32 bits for each cell: 0 empty, 1 claimed, else a part of the hash (TAGGED) */
    u64 waiting;  /* a bit for each cell: found, to be expanded in a later step */
    u64 current;  /* a bit for each cell: to be expanded in this step */
    u64 kept;     /* a bit for each cell: persistent; 0 if the step does not set it */
    u64 origins;  /* for each cell (step << 32 | transition) of the first discovery; 0 if not wanted */
    u64 capacity; /* cells; 0 for a table that is not there yet */
    u64 limit;    /* cells that a look-up visits before the table counts as full */
    u64 added;    /* result: new states */
    u64 full;     /* result: some state found no place */
} Table;

typedef struct {
    Table source;
    u64 first;    /* range of 32-bit words of the current bits to expand */
    u64 last;
    u64 step;
    u64 chunk;    /* words of the bits that a block takes at a time */
    u64 finds;
    u64 judge;    /* instructions that report a state to the finds that are still wanted */
    u64 terminated; /* instructions: whether a state without successors is not dead */
    u64 only_kept;
    u64 n_states; /* states to insert, behind the tables */
    u64 explored; /* results */
    u64 edges;
    u64 dead;
    u64 regress;
    u64 full;     /* some table is full: blocks stop early */
    u64 reported; /* some find changed */
    u64 no_room;  /* some transition's result does not fit its fields */
    u64 answer;
    u64 answer_origin;
    Table tables[1];
} Board;

/* What the host wants to know: the state with the least key. */
typedef struct {
    u64 key;
    u64 lock;
    u64 written;
    u64 words[WORDS];
} Find;

/* States that a block lists at a time. */
#define MOST_LISTED 2048
/* Counters that a block keeps for itself. */
#define N_SUMS 6
#define LISTED 0
#define EXPLORED 1
#define EDGES 2
#define DEAD 3
#define BACK 4
#define STOPPED 5
/* New states are counted in the block for so many tables; for further ones in global memory. */
#define BLOCK_TABLES 64

#define FOUND 0
#define NEW 1
#define FULL 2

DEVICE u64 mix(u64 x) {
    x = (x ^ (x >> 32)) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ull;
    return x ^ (x >> 32);
}

/* For one word a permutation, so that different states have different hashes. */
DEVICE u64 hash_of(const u64* state) {
    u64 h = mix(state[0]);
    for (int w = 1; w < WORDS; w++) h = mix(h * 3 + state[w]);
    return h;
}

/* Looks the state up and stores it if it is absent. Cells go from empty to full only, and no state leaves its cell
 * while a kernel runs, so two threads with the same state meet at the same cell. */
#if CELLS == ONE
DEVICE int insert(const Table* table, const u64* state, u64 hash, u64* place) {
    u64* cells = (u64*)table->cells;
    u64 capacity = table->capacity, limit = table->limit, at = high_product(hash, capacity);
    for (u64 visited = 0; visited < limit; visited++) {
        u64 seen = load(&cells[at]);
        if (seen == EMPTY0) {
            seen = swap_if(&cells[at], EMPTY0, state[0]);
            if (seen == EMPTY0) { *place = at; return NEW; }
        }
        if (seen == state[0]) { *place = at; return FOUND; }
        if (++at == capacity) at = 0;
    }
    return FULL;
}

DEVICE int is_occupied(const Table* table, u64 at) { return ((u64*)table->cells)[at] != EMPTY0; }
#elif CELLS == PAIR
/* The two words are written at once but may be read apart. Neither word of a state looks empty, so a half-read cell is
 * recognised, and the compare-and-swap returns what is there. */
DEVICE int insert(const Table* table, const u64* state, u64 hash, u64* place) {
    u64* cells = (u64*)table->cells;
    u64 capacity = table->capacity, limit = table->limit, at = high_product(hash, capacity);
    for (u64 visited = 0; visited < limit; visited++) {
        u64 low = load(&cells[2 * at]), high = load(&cells[2 * at + 1]);
        if (low == EMPTY0 || high == EMPTY1) {
            swap_pair_if(&cells[2 * at], EMPTY0, EMPTY1, state[0], state[1], &low, &high);
            if (low == EMPTY0 && high == EMPTY1) { *place = at; return NEW; }
        }
        if (low == state[0] && high == state[1]) { *place = at; return FOUND; }
        if (++at == capacity) at = 0;
    }
    return FULL;
}

DEVICE int is_occupied(const Table* table, u64 at) { return ((u64*)table->cells)[2 * at] != EMPTY0; }
#else
/* A cell is claimed by its tag, then written, then published by the tag. */
DEVICE int insert(const Table* table, const u64* state, u64 hash, u64* place) {
    u64* cells = (u64*)table->cells;
    u32* tags = (u32*)table->tags;
    u32 tag = (u32)hash | 2u;
    u64 capacity = table->capacity, limit = table->limit, at = high_product(hash, capacity);
    for (u64 visited = 0; visited < limit; visited++) {
        u32 seen = load_tag(&tags[at]);
        if (seen == 0) {
            seen = swap_tag_if(&tags[at], 0, 1);
            if (seen == 0) {
                for (int w = 0; w < WORDS; w++) store(&cells[at * WORDS + w], state[w]);
                publish_tag(&tags[at], tag);
                *place = at;
                return NEW;
            }
        }
        while (seen == 1) seen = load_tag(&tags[at]);
        if (seen == tag) {
            int same = 1;
            for (int w = 0; w < WORDS; w++) same &= load(&cells[at * WORDS + w]) == state[w];
            if (same) { *place = at; return FOUND; }
        }
        if (++at == capacity) at = 0;
    }
    return FULL;
}

DEVICE int is_occupied(const Table* table, u64 at) { return ((u32*)table->tags)[at] != 0; }
#endif

DEVICE int bit_of(u64 bits, u64 at) { return ((u32*)bits)[at >> 5] >> (at & 31) & 1u; }

DEVICE void set_bit(u64 bits, u64 at) { or_into(&((u32*)bits)[at >> 5], 1u << (at & 31)); }

/* Keeps the state if its key is less than all before: the result does not depend on the order of threads. */
DEVICE void report(Board* board, u32 number, u64 key, const u64* state) {
    Find* find = (Find*)board->finds + number;
    if (load(&find->key) <= key || least_into(&find->key, key) <= key) return;
    int done = 0;
    while (!done) {
        if (swap_if(&find->lock, 0, 1) == 0) {
            fence();
            if (key < load(&find->written)) {
                store(&find->written, key);
                store(&board->reported, 1);
                for (int w = 0; w < WORDS; w++) store(&find->words[w], state[w]);
            }
            fence();
            swap_if(&find->lock, 1, 0);
            done = 1;
        }
    }
}

#include_judge
#include_model

/* Expands one state. Returns 0 if it must be expanded again, since a table is full or its successor does not fit. What was
 * stored stays stored, and its edges are counted when it is finished. */
DEVICE int visit(Board* board, u64* shared, const u64* state, u64* sums) {
    u64 edges = 0, regress = 0, masks[MASKS];
    for (u32 group = 0; group < N_GROUPS; group++) {
        u64 mask = enabled(group, state);
        masks[MASKS == 1 ? 0 : group] = mask;
        while (mask) {
            u32 transition = group * 64 + lowest_bit(mask);
            mask &= mask - 1;
#if ROOM
            if (!has_room(transition, state)) {
                store(&board->no_room, 1);
                return 0;
            }
#endif
            u64 next[WORDS], place;
            for (int w = 0; w < WORDS; w++) next[w] = state[w] + ADDITION[transition * WORDS + w];
            u32 number = TARGET[transition];
            Table* table = &board->tables[number];
            int result = insert(table, next, hash_of(next), &place);
            if (result == FULL) {
                store(&table->full, 1);
                store(&board->full, 1);
                return 0;
            }
            if (result == NEW) {
                if (table->kept) set_bit(table->kept, place);
                set_bit(table->waiting, place);
                if (number < BLOCK_TABLES) add_shared(&shared[N_SUMS + number], 1);
                else add_into(&table->added, 1);
            }
            if (table->origins) least_into(&((u64*)table->origins)[place], board->step << 32 | transition);
            edges++;
            regress += REGRESS[transition];
        }
    }
    int dead = edges == 0 && !run_code(board, (u64*)board->terminated, state, masks, 0);
    run_code(board, (u64*)board->judge, state, masks, dead);
    sums[EXPLORED]++;
    sums[EDGES] += edges;
    sums[DEAD] += dead;
    sums[BACK] += regress;
    return 1;
}

/* Lists marked states of a chunk, and clears their bits. Those for which the list has no room stay marked. */
DEVICE void list_chunk(const Board* board, u64 base, u64* shared, u32* list) {
    u32* current = (u32*)board->source.current;
    for (u32 i = thread(); i < board->chunk && base + i < board->last; i += threads()) {
        u32 bits = current[base + i], left = 0;
        if (bits == 0) continue;
        while (bits) {
            u32 lowest = bits & (0u - bits);
            u64 number = add_shared(&shared[LISTED], 1);
            if (number < MOST_LISTED) list[number] = i * 32 + lowest_bit(lowest);
            else left |= lowest;
            bits ^= lowest;
        }
        current[base + i] = left;
    }
}

/* Expands the states whose bits are set in a range of `current`, and clears the bits of those that are finished. A chunk
 * is as many words as have about enough states for all threads of a block. */
KERNEL void expand(Board* board) {
    SHARED_WORDS(shared);
    u32* list = (u32*)(shared + N_SUMS + BLOCK_TABLES);
    u64 sums[N_SUMS] = {0}, chunk = board->chunk, base = board->first + (u64)block() * chunk;
    for (u32 i = thread(); i < N_SUMS + BLOCK_TABLES; i += threads()) shared[i] = 0;
    while (base < board->last) {
        barrier();
        if (thread() == 0) {
            shared[LISTED] = 0;
            shared[STOPPED] = load(&board->full) | load(&board->no_room);
        }
        barrier();
        if (shared[STOPPED]) break;
        list_chunk(board, base, shared, list);
        barrier();
        u64 marked = shared[LISTED];
        for (u32 i = thread(); i < marked && i < MOST_LISTED; i += threads()) {
            u64 at = base * 32 + list[i], state[WORDS];
            if (!is_occupied(&board->source, at)) continue;
            for (int w = 0; w < WORDS; w++) state[w] = ((u64*)board->source.cells)[at * WORDS + w];
            if (!visit(board, shared, state, sums)) set_bit(board->source.current, at);
        }
        /* A chunk with more states than fit the list is taken again. */
        if (marked <= MOST_LISTED) base += (u64)blocks() * chunk;
    }
    barrier();
    for (u32 i = EXPLORED; i <= BACK; i++) {
        if (sums[i]) add_shared(&shared[i], sums[i]);
    }
    barrier();
    if (thread() == 0) {
        if (shared[EXPLORED]) add_into(&board->explored, shared[EXPLORED]);
        if (shared[EDGES]) add_into(&board->edges, shared[EDGES]);
        if (shared[DEAD]) add_into(&board->dead, shared[DEAD]);
        if (shared[BACK]) add_into(&board->regress, shared[BACK]);
    }
    for (u32 i = thread(); i < BLOCK_TABLES && i < N_TABLES; i += threads()) {
        if (shared[N_SUMS + i]) add_into(&board->tables[i].added, shared[N_SUMS + i]);
    }
}

/* Copies the states of `source`, or only the persistent ones, to the empty table number 0, with their bits. */
KERNEL void move_states(Board* board) {
    const Table* source = &board->source;
    Table* table = &board->tables[0];
    u64 first = (u64)block() * threads() + thread(), all = (u64)blocks() * threads(), moved = 0;
    for (u64 at = first; at < source->capacity; at += all) {
        u64 state[WORDS], place;
        if (!is_occupied(source, at) || (board->only_kept && !bit_of(source->kept, at))) continue;
        for (int w = 0; w < WORDS; w++) state[w] = ((u64*)source->cells)[at * WORDS + w];
        if (insert(table, state, hash_of(state), &place) == FULL) {
            store(&table->full, 1);
            break;
        }
        moved++;
        if (bit_of(source->waiting, at)) set_bit(table->waiting, place);
        if (bit_of(source->current, at)) set_bit(table->current, place);
        if (bit_of(source->kept, at)) set_bit(table->kept, place);
        if (table->origins) ((u64*)table->origins)[place] = ((u64*)source->origins)[at];
    }
    if (moved) add_into(&table->added, moved);
}

/* Sets the bits `waiting` and `kept` of every state of `source`, or those of them that are not 0. Bits of empty cells stay
 * clear: a state that is stored there later has its own. */
KERNEL void mark(Board* board) {
    const Table* source = &board->source;
    u64 first = (u64)block() * threads() + thread(), all = (u64)blocks() * threads();
    for (u64 word = first; word < source->capacity / 32; word += all) {
        u32 bits = 0;
        for (u32 i = 0; i < 32; i++) bits |= (u32)is_occupied(source, word * 32 + i) << i;
        if (source->waiting) ((u32*)source->waiting)[word] = bits;
        if (source->kept) ((u32*)source->kept)[word] = bits;
    }
}

/* Stores states that the host gives, behind the first table. */
KERNEL void plant(Board* board) {
    Table* table = &board->tables[0];
    if (block() != 0 || thread() != 0) return;
    for (u64 i = 0; i < board->n_states; i++) {
        const u64* state = (u64*)&board->tables[1] + i * WORDS;
        u64 place;
        int result = insert(table, state, hash_of(state), &place);
        if (result == FULL) { table->full = 1; return; }
        if (result == NEW) {
            table->added++;
            set_bit(table->waiting, place);
        }
        if (table->origins) least_into(&((u64*)table->origins)[place], board->step << 32 | 0xFFFFFFFFull);
    }
}

/* Looks up one state, behind the first table, in `source`: `answer` is 1 if it is there, with its origin. */
KERNEL void look_up(Board* board) {
    const Table* source = &board->source;
    const u64* state = (u64*)&board->tables[1];
    if (block() != 0 || thread() != 0) return;
    u64 at = high_product(hash_of(state), source->capacity);
    board->answer = 0;
    for (u64 visited = 0; visited < source->capacity && is_occupied(source, at); visited++) {
        int same = 1;
        for (int w = 0; w < WORDS; w++) same &= ((u64*)source->cells)[at * WORDS + w] == state[w];
        if (same) {
            board->answer = 1;
            board->answer_origin = source->origins ? ((u64*)source->origins)[at] : 0;
            return;
        }
        if (++at == source->capacity) at = 0;
    }
}
