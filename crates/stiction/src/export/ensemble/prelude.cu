#if defined(__CUDACC__)
#define STICTION_FUNCTION __device__ static __forceinline__
#define STICTION_KERNEL(name) extern "C" __global__ void __launch_bounds__(STICTION_BLOCK, STICTION_BLOCKS) name
#define STICTION_RESTRICT __restrict__
#define STICTION_CONSTANT __constant__
#define STICTION_TABLE __device__
#define STICTION_TAKE(next) atomicAdd(next, 1)
/* The warps of a block begin their steps together: the text of a step is longer than the cache of instructions, and they share what it holds.
   Where a contact sticks they do not: steps at rest are so much shorter that waiting takes longer than fetching. */
#if STICKS
#define STICTION_TOGETHER()
#define STICTION_MOST_BLOCKS 4
#else
#define STICTION_TOGETHER() __syncthreads()
#define STICTION_MOST_BLOCKS 1
#endif
/* A loop that stays one, for the same reason. */
#define STICTION_ROLLED _Pragma("unroll 1")
#define STICTION_QUOTIENT(a, b) __fdividef(a, b)
#define STICTION_POWER(a, b) __powf(a, b)
/* without an operation in double precision */
#define IS_NEGATIVE(x) (__double2hiint(x) < 0)
#ifndef STICTION_BLOCKS
#define STICTION_BLOCKS STICTION_MOST_BLOCKS
#endif
#else
/* Without CUDA the kernel is a function of C that runs all points, one after the other. */
#define STICTION_FUNCTION static inline
#define STICTION_KERNEL(name) void name
#define STICTION_RESTRICT
#define STICTION_CONSTANT
#define STICTION_TABLE
#define STICTION_TAKE(next) ((*(next))++)
#define STICTION_TOGETHER()
#define STICTION_ROLLED
#define STICTION_QUOTIENT(a, b) ((a) / (b))
#define STICTION_POWER(a, b) powf(a, b)
#define IS_NEGATIVE(x) ((x) < 0.0)
#endif

/* To the last places: the approximation of the device has 20 bits, the correction trebles them. */
STICTION_FUNCTION double reciprocal(double x) {
#if defined(__CUDA_ARCH__)
    double r, e;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    e = fma(-x, r, 1.0);
    e = fma(e, e, e);
    return fma(r, e, r);
#else
    return 1.0 / x;
#endif
}

/* The exponential. On the device without special cases: what is beyond 700 counts as 700. */
STICTION_FUNCTION double law_exp(double x) {
#if defined(__CUDA_ARCH__)
    double shifted, n, r, y;
    /* a comparison of the upper halves costs nothing in double precision */
    if ((__double2hiint(x) & 0x7fffffff) > 0x4085e000) x = x < 0.0 ? -700.0 : x > 0.0 ? 700.0 : x;
    shifted = fma(x, 1.4426950408889634, 6755399441055744.0);
    n = shifted - 6755399441055744.0;
    r = fma(n, -0.6931471803691238, x);
    r = fma(n, -1.9082149292705877e-10, r);
    /* Taylor: on |r| < 0.35 the next term is below 6e-15 */
    y = 2.505210838544172e-8;
    y = fma(y, r, 2.755731922398589e-7);
    y = fma(y, r, 2.7557319223985893e-6);
    y = fma(y, r, 2.48015873015873e-5);
    y = fma(y, r, 1.984126984126984e-4);
    y = fma(y, r, 1.388888888888889e-3);
    y = fma(y, r, 8.333333333333333e-3);
    y = fma(y, r, 4.1666666666666664e-2);
    y = fma(y, r, 1.6666666666666666e-1);
    y = fma(y, r, 0.5);
    y = fma(y, r, 1.0);
    y = fma(y, r, 1.0);
    return y * __hiloint2double((__double2loint(shifted) + 1023) << 20, 0);
#else
    return exp(x);
#endif
}
