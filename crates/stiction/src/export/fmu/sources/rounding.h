/* The bits depend on it: products and sums are rounded one by one, in their own precision. */
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__FAST_MATH__)
#error compile this without -ffast-math
#endif
/* 0: each in its own precision; 16: the same, and half precision too */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error compile this for SSE or another unit that does not compute in a wider precision
#endif
