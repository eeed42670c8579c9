/* The words of the kernels, for a processor: a thread of the host for each thread of the card. */
typedef unsigned long long u64;
typedef unsigned int u32;
typedef long long i64;
#define KERNEL
#define DEVICE static inline
#define TABLE static const
#define SHARED_WORDS(name) u64* name = machine.shared

typedef struct {
    u64* shared;
    void (*wait)(void*);
    void* with;
    u32 block, blocks, thread, threads;
} Machine;

static __thread Machine machine;
void enter(const Machine* here) { machine = *here; }

DEVICE u32 block(void) { return machine.block; }
DEVICE u32 blocks(void) { return machine.blocks; }
DEVICE u32 thread(void) { return machine.thread; }
DEVICE u32 threads(void) { return machine.threads; }
DEVICE void barrier(void) { machine.wait(machine.with); }
DEVICE void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEVICE u64 high_product(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
DEVICE u32 lowest_bit(u64 bits) { return (u32)__builtin_ctzll(bits); }
DEVICE u64 load(const u64* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
DEVICE u64 constant(const u64* from) { return *from; }
DEVICE void store(u64* to, u64 value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
DEVICE u64 swap_if(u64* at, u64 expected, u64 value) {
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
DEVICE void add_into(u64* at, u64 value) { __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
DEVICE u64 add_shared(u64* at, u64 value) { return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
DEVICE void or_into(u32* at, u32 value) { __atomic_fetch_or(at, value, __ATOMIC_RELAXED); }
DEVICE u64 least_into(u64* at, u64 value) {
    u64 seen = load(at);
    while (value < seen && !__atomic_compare_exchange_n(at, &seen, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return seen;
}
DEVICE u32 load_tag(const u32* from) { return __atomic_load_n(from, __ATOMIC_ACQUIRE); }
DEVICE u32 swap_tag_if(u32* at, u32 expected, u32 value) {
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
    return expected;
}
DEVICE void publish_tag(u32* at, u32 tag) { __atomic_store_n(at, tag, __ATOMIC_RELEASE); }
#if CELLS == PAIR
DEVICE void swap_pair_if(u64* at, u64 low, u64 high, u64 new_low, u64 new_high, u64* old_low, u64* old_high) {
    unsigned __int128 expected = (unsigned __int128)high << 64 | low, value = (unsigned __int128)new_high << 64 | new_low;
    unsigned __int128 old = __sync_val_compare_and_swap((unsigned __int128*)at, expected, value);
    *old_low = (u64)old;
    *old_high = (u64)(old >> 64);
}
#endif
