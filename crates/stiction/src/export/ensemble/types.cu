#if defined(__CUDACC_RTC__)
typedef unsigned long long uint64_t;
#define UINT64_C(x) x##ull
#define NAN __longlong_as_double(0x7ff8000000000000ll)
#else
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif
