/* The products of least squares, of many fits of a record at once. The trajectories of a group are one at the parameters of a fit and
   some more at which one parameter each was moved; a group of one trajectory has a cost alone.

   samples   of each trajectory SAMPLES numbers for each of SERIES columns
   ended     of each trajectory 0, or why it ended early
   first     of each group its first trajectory, and after the last group how many trajectories there are
   by_step   of each trajectory one over the length by which its parameter was moved, 0 for the first of a group; not a number where the
             system could not be built
   refit     of each group the number of the refit whose residuals are drawn, or -1: the record as it was measured
   products  PRODUCTS of each group: the upper triangle of the products of the residuals and their difference quotients, row by row */

#if defined(__CUDACC__)
#define PRODUCTS_KERNEL(name) extern "C" __global__ void __launch_bounds__(PRODUCTS_BLOCK) name
#define PRODUCTS_FIRST_GROUP ((int)blockIdx.x)
#define PRODUCTS_GROUPS ((int)gridDim.x)
#define PRODUCTS_THREAD ((int)threadIdx.x)
#define PRODUCTS_THREADS PRODUCTS_BLOCK
#define PRODUCTS_FUNCTION __device__ static __forceinline__
#define PRODUCTS_TABLE __device__
#define PRODUCTS_UNROLLED _Pragma("unroll")
#else
#define PRODUCTS_KERNEL(name) void name
#define PRODUCTS_FIRST_GROUP 0
#define PRODUCTS_GROUPS 1
#define PRODUCTS_THREAD 0
#define PRODUCTS_THREADS 1
#define PRODUCTS_FUNCTION static inline
#define PRODUCTS_TABLE
#define PRODUCTS_UNROLLED
#endif

@TABLES@
@RANDOM@
/* Where a block of drawn residuals begins: the number `drawn` of the stream of a refit, below `count`. */
PRODUCTS_FUNCTION int block_begin(int refit, int drawn, int count) {
    const double uniform = products_uniform((double)SEED, (double)refit * 4294967295.0 + (double)drawn);
    const int begin = (int)(uniform * (double)count);
    return begin < count ? begin : count - 1;
}

/* What sample k of column c should be: measured, or the model of the fit that was found with residuals in blocks from elsewhere. */
PRODUCTS_FUNCTION double wanted(int refit, int c, int k) {
    int from;
    if (refit < 0) return measured[c * SAMPLES + k];
    from = block_begin(refit, draws_before[c] + k / block_length[c] + 1, SAMPLES) + k % block_length[c];
    from -= from >= SAMPLES ? SAMPLES : 0;
    return centre[c * SAMPLES + k] + residual[c * SAMPLES + from];
}

PRODUCTS_KERNEL(stiction_products)(const double *samples, const int *ended, const int *first, const double *by_step, const int *refit,
                                   int groups, double *products) {
#if defined(__CUDACC__)
    __shared__ double part[PRODUCTS_BLOCK / 32][PRODUCTS];
#endif
    int g;
    for (g = PRODUCTS_FIRST_GROUP; g < groups; g += PRODUCTS_GROUPS) {
        const int from = first[g], columns = first[g + 1] - from;
        double sum[PRODUCTS], whole = by_step[from];
        int i, j, c, k, m;
        PRODUCTS_UNROLLED
        for (m = 0; m < PRODUCTS; m++) sum[m] = 0.0;
        if (ended[from] != 0) whole = NAN;
        for (c = 0; c < SERIES; c++) {
            for (k = PRODUCTS_THREAD; k < SAMPLES; k += PRODUCTS_THREADS) {
                const size_t place = ((size_t)from * SERIES + (size_t)c) * SAMPLES + (size_t)k;
                const double model = samples[place];
                double r[COLUMNS];
                r[0] = (model - wanted(refit[g], c, k)) * by_scale[c] + whole;
                PRODUCTS_UNROLLED
                for (j = 1; j < COLUMNS; j++) {
                    r[j] = 0.0;
                    if (j < columns) r[j] = (samples[place + (size_t)j * SERIES * SAMPLES] - model) * by_scale[c] * by_step[from + j];
                }
                m = 0;
                PRODUCTS_UNROLLED
                for (i = 0; i < COLUMNS; i++) {
                    PRODUCTS_UNROLLED
                    for (j = i; j < COLUMNS; j++) {
                        sum[m] += r[i] * r[j];
                        m++;
                    }
                }
            }
        }
#if defined(__CUDACC__)
        PRODUCTS_UNROLLED
        for (m = 0; m < PRODUCTS; m++) {
            for (k = 16; k > 0; k /= 2) sum[m] += __shfl_down_sync(0xffffffffu, sum[m], k);
            if (threadIdx.x % 32 == 0) part[threadIdx.x / 32][m] = sum[m];
        }
        __syncthreads();
        for (m = (int)threadIdx.x; m < PRODUCTS; m += PRODUCTS_BLOCK) {
            double all = 0.0;
            for (k = 0; k < PRODUCTS_BLOCK / 32; k++) all += part[k][m];
            products[(size_t)g * PRODUCTS + m] = all;
        }
        __syncthreads();
#else
        for (m = 0; m < PRODUCTS; m++) products[(size_t)g * PRODUCTS + m] = sum[m];
#endif
        /* a trajectory that ended early has no derivative */
        for (j = PRODUCTS_THREAD; j < columns; j += PRODUCTS_THREADS)
            if (ended[from + j] != 0) products[(size_t)g * PRODUCTS + (size_t)(j * COLUMNS - j * (j - 1) / 2)] = NAN;
    }
}
