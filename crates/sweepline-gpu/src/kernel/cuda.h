/* The words of the kernels, for CUDA. */
typedef unsigned long long u64;
typedef unsigned int u32;
typedef long long i64;
#define KERNEL extern "C" __global__
#define DEVICE static __device__ __forceinline__
#define TABLE static __device__ const
#define SHARED_WORDS(name) extern __shared__ u64 name[]

DEVICE u32 block() { return blockIdx.x; }
DEVICE u32 blocks() { return gridDim.x; }
DEVICE u32 thread() { return threadIdx.x; }
DEVICE u32 threads() { return blockDim.x; }
DEVICE void barrier() { __syncthreads(); }
DEVICE void fence() { __threadfence(); }
DEVICE u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
DEVICE u32 lowest_bit(u64 bits) { return __ffsll((long long)bits) - 1; }
/* Volatile accesses are not served from the cache of one multiprocessor, which is not coherent. */
DEVICE u64 load(const u64* from) { return *(const volatile u64*)from; }
/* For memory that no kernel writes. */
DEVICE u64 constant(const u64* from) { return __ldg(from); }
DEVICE void store(u64* to, u64 value) { *(volatile u64*)to = value; }
DEVICE u64 swap_if(u64* at, u64 expected, u64 value) { return atomicCAS(at, expected, value); }
DEVICE void add_into(u64* at, u64 value) { atomicAdd(at, value); }
DEVICE u64 add_shared(u64* at, u64 value) { return atomicAdd(at, value); }
DEVICE void or_into(u32* at, u32 value) { atomicOr(at, value); }
DEVICE u64 least_into(u64* at, u64 value) { return atomicMin(at, value); }
DEVICE u32 load_tag(const u32* from) {
    u32 tag = *(const volatile u32*)from;
    __threadfence();
    return tag;
}
DEVICE u32 swap_tag_if(u32* at, u32 expected, u32 value) { return atomicCAS(at, expected, value); }
DEVICE void publish_tag(u32* at, u32 tag) {
    __threadfence();
    *(volatile u32*)at = tag;
}
#if CELLS == PAIR
DEVICE void swap_pair_if(u64* at, u64 low, u64 high, u64 new_low, u64 new_high, u64* old_low, u64* old_high) {
    asm volatile(
        "{ .reg .b128 expected, value, old;\n"
        "  mov.b128 expected, {%2, %3};\n"
        "  mov.b128 value, {%4, %5};\n"
        "  atom.global.cas.b128 old, [%6], expected, value;\n"
        "  mov.b128 {%0, %1}, old; }"
        : "=l"(*old_low), "=l"(*old_high)
        : "l"(low), "l"(high), "l"(new_low), "l"(new_high), "l"(at)
        : "memory");
}
#endif
