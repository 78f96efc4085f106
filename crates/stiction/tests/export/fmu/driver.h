/* What the importers of both versions share: what they are told of the unit, and the input over time. Text on stdin:
       TOKEN RESOURCES STATES INDICATORS FRICTION STUCK PARAMETER
   (numbers of states and event indicators, value references of the friction, of whether it is held, 0 if there is no such variable, and of the first
   parameter), then lines "time value" of the first input, held until the next. Inputs have the value references 1 and 2, states those from 3 on. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, MOST_NUMBERS = 100, FIRST_INPUT = 1, FIRST_STATE = 3 };

static char token[100], resources[2000];
static unsigned states, indicators, friction, stuck, parameter;
static double times[MOST], values[MOST];
static int count;

static void read_task(void) {
    if (scanf("%99s %1999s %u %u %u %u %u", token, resources, &states, &indicators, &friction, &stuck, &parameter) != 7 ||
        states > MOST_NUMBERS || indicators > MOST_NUMBERS) {
        exit(2);
    }
    while (count < MOST && scanf("%lf %lf", &times[count], &values[count]) == 2) {
        count++;
    }
}

static double input(double time) {
    int k = 0;
    while (k + 1 < count && times[k + 1] <= time + 1e-9) {
        k++;
    }
    return values[k];
}

static void fail_at(int line) {
    fprintf(stderr, "the importer's line %d\n", line);
    exit(1);
}
/* Every call succeeds, or is refused. */
#define NEED(call) ((call) == 0 ? (void)0 : fail_at(__LINE__))
#define REFUSED(call) ((call) == 3 ? (void)0 : fail_at(__LINE__))
#define CHECK(condition) ((condition) ? (void)0 : fail_at(__LINE__))
