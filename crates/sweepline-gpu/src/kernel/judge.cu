/* Which finds a state belongs to. Their conditions are data, not text, so that thousands of them need no time to compile,
 * and one that is decided costs nothing. All threads run the same instructions on their own states.
 *
 * An instruction is a word: its number in the lowest 8 bits, then 8 bits and 16 bits of operands; some have more words.
 * A sum is computed in `sum`, truth values on a stack of bits. See judge.rs. */
DEVICE i64 field_of(const u64* s, u64 instruction, u64 most) {
    return (i64)(s[instruction >> 8 & 0xFF] >> (instruction >> 16 & 0xFF) & most);
}

/* Runs the instructions from `at`, and returns the value on top of the stack. */
DEVICE int run_code(Board* board, const u64* at, const u64* s, const u64* masks, int dead) {
    u64 stack = 0;
    i64 sum = 0, most = -BIAS;
    (void)masks;
    for (;;) {
        u64 instruction = constant(at);
        switch (instruction & 0xFF) {
        case ADD_FIELD:
            sum += (i64)constant(at + 2) * field_of(s, instruction, constant(at + 1));
            at += 3;
            break;
        case ADD_EQUALS:
            if (field_of(s, instruction, constant(at + 1)) == (i64)constant(at + 3)) sum += (i64)constant(at + 2);
            at += 4;
            break;
        case ADD_LOOKUP: {
            u64 value = (u64)field_of(s, instruction, constant(at + 1)), length = constant(at + 3);
            if (value < length) sum += (i64)constant(at + 2) * (i64)constant(at + 4 + value);
            at += 4 + length;
            break;
        }
        case ADD_ENABLED:
            sum += (masks[MASKS == 1 ? 0 : instruction >> 8] & constant(at + 1)) != 0;
            at += 2;
            break;
        case AT_MOST:
            stack = stack << 1 | (u64)(sum <= (i64)constant(at + 1));
            sum = 0;
            at += 2;
            break;
        case EQUALS:
            stack = stack << 1 | (u64)(sum == (i64)constant(at + 1));
            sum = 0;
            at += 2;
            break;
        case CONSTANT: stack = stack << 1 | instruction >> 8; at++; break;
        case IS_DEAD: stack = stack << 1 | (u64)dead; at++; break;
        case NEGATE: stack ^= 1; at++; break;
        case BOTH: stack = stack >> 1 & (stack | ~1ull); at++; break;
        case EITHER: stack = stack >> 1 | (stack & 1); at++; break;
        case SKIP_DISABLED:
            at += masks[MASKS == 1 ? 0 : instruction >> 8] & constant(at + 1) ? 3 : 3 + constant(at + 2);
            break;
        case GREATEST:
            if (sum > most) most = sum;
            sum = 0;
            at++;
            break;
        case REPORT:
            if (stack & 1) report(board, (u32)(instruction >> 8), hash_of(s) >> 1, s);
            stack >>= 1;
            at++;
            break;
        case REPORT_LEAST:
            report(board, (u32)(instruction >> 8), (u64)(sum + BIAS), s);
            sum = 0;
            at++;
            break;
        case REPORT_GREATEST:
            report(board, (u32)(instruction >> 8), (u64)(BIAS - most), s);
            most = -BIAS;
            at++;
            break;
        default: return (int)(stack & 1);
        }
    }
}
