/* The law of a unit as programs that are read from a file, for the library that runs any unit. Compiled from sources, a unit has functions
   in their place, which compute the same bits. */

/* The most that a law has of everything. */
#define MOST_MEMORY 64
#define MOST_LAW_PARAMETERS 256
#define MOST_LAW_GUARDS 128
#define MOST_CONDITIONS 64

/* A number, a word of 64 bits, or, of the lowest bit, whether something is true. */
typedef union Slot {
    double number;
    uint64_t word;
} Slot;

/* Operations by name: with their number of operands, some of them counts. */
#define OPERATIONS(X) \
    X(ADD, "add", 2) X(SUBTRACT, "subtract", 2) X(MULTIPLY, "multiply", 2) X(DIVIDE, "divide", 2) X(NEGATE, "negate", 1) X(ABS, "abs", 1) \
    X(EXP, "exp", 1) X(EXP_M1, "exp_m1", 1) X(LN, "ln", 1) X(LN_1P, "ln_1p", 1) X(TANH, "tanh", 1) X(SQRT, "sqrt", 1) \
    X(FLOOR, "floor", 1) X(POW, "pow", 2) X(LESS, "less", 2) X(EQUAL, "equal", 2) X(IS_NAN, "is_nan", 1) X(AND, "and", 2) X(OR, "or", 2) \
    X(NOT, "not", 1) X(SELECT, "select", 3) X(WORD_AND, "word_and", 2) X(WORD_OR, "word_or", 2) X(WORD_XOR, "word_xor", 2) \
    X(WORD_ADD, "word_add", 2) X(WORD_SUBTRACT, "word_subtract", 2) X(WORD_MULTIPLY, "word_multiply", 2) \
    X(SHIFT_LEFT, "shift_left", 2) X(SHIFT_RIGHT, "shift_right", 2) X(MOVE, "move", 1) X(REPEAT, "repeat", 0) X(UNTIL, "until", 3)

#define OPERATION_CODE(code, name, operands) OPERATION_##code,
typedef enum Code { OPERATIONS(OPERATION_CODE) OPERATION_COUNT } Code;

/* `to` is the place of the result. `until` ends the turn of a loop whose turns `to` counts: it ends when `a` is true or after `c` turns, else it
   goes on with instruction `b`. */
typedef struct Instruction {
    uint32_t code, to, a, b, c;
} Instruction;

/* Where an input goes. */
typedef struct ProgramInput {
    uint32_t to, index;
} ProgramInput;

typedef struct Program {
    Slot *slots;
    Instruction *instructions;
    ProgramInput *inputs;
    uint32_t *outputs;
    uint32_t slot_count, instruction_count, input_count, output_count;
} Program;

/* The programs, in the order of the file. */
enum { FLOW, FLOW_ALONG, HOLD, BAND, EXTREMUM, LAW_GUARD, JUMP, CONDITION, PROGRAMS };

struct Model {
    char token[64];
    /* in the order of the file */
    int is_body, memory, parameters, guards, conditions, has_set, has_band, has_extremum, has_jump, has_power_of_memory;
    double numbers[5][1 + MOST_LAW_PARAMETERS];
    char flows[2 + MOST_MEMORY];
    char *names[1 + MOST_LAW_PARAMETERS];
    char *texts[MOST_CONDITIONS];
    Program programs[PROGRAMS];
};

#define IS_BODY (s->model->is_body)
#define MEMORY (s->model->memory)
#define LAW_PARAMETERS (s->model->parameters)
#define LAW_GUARDS (s->model->guards)
#define CONDITIONS (s->model->conditions)
#define HAS_SET (s->model->has_set)
#define HAS_BAND (s->model->has_band)
#define HAS_EXTREMUM (s->model->has_extremum)
#define HAS_JUMP (s->model->has_jump)
#define HAS_POWER_OF_MEMORY (s->model->has_power_of_memory)
#define start_values (s->model->numbers[0])
#define least_values (s->model->numbers[1])
#define largest_values (s->model->numbers[2])
#define state_nominals (s->model->numbers[3])
#define memory_range (s->model->numbers[4])
#define state_flows (s->model->flows)
#define parameter_names (s->model->names)
#define condition_texts (s->model->texts)

/* Runs a program. The slots are those of one unit, which is in one thread at a time. */
static void run_program(const Program *program, const double *input, double *out) {
    Slot *const r = program->slots;
    const Instruction *const first = program->instructions, *const end = first + program->instruction_count, *i;
    uint32_t k;
    for (k = 0; k < program->input_count; k++) {
        r[program->inputs[k].to].number = input[program->inputs[k].index];
    }
#define TO r[i->to]
#define A r[i->a]
#define B r[i->b]
    for (i = first; i < end; i++) {
        switch (i->code) {
        case OPERATION_ADD: TO.number = A.number + B.number; break;
        case OPERATION_SUBTRACT: TO.number = A.number - B.number; break;
        case OPERATION_MULTIPLY: TO.number = A.number * B.number; break;
        case OPERATION_DIVIDE: TO.number = A.number / B.number; break;
        case OPERATION_NEGATE: TO.number = -A.number; break;
        case OPERATION_ABS: TO.number = law_abs(A.number); break;
        case OPERATION_EXP: TO.number = law_exp(A.number); break;
        case OPERATION_EXP_M1: TO.number = law_exp_m1(A.number); break;
        case OPERATION_LN: TO.number = law_ln(A.number); break;
        case OPERATION_LN_1P: TO.number = law_ln_1p(A.number); break;
        case OPERATION_TANH: TO.number = law_tanh(A.number); break;
        case OPERATION_SQRT: TO.number = law_sqrt(A.number); break;
        case OPERATION_FLOOR: TO.number = law_floor(A.number); break;
        case OPERATION_POW: TO.number = law_pow(A.number, B.number); break;
        case OPERATION_LESS: TO.word = A.number < B.number; break;
        case OPERATION_EQUAL: TO.word = (A.number <= B.number) & (A.number >= B.number); break;
        case OPERATION_IS_NAN: TO.word = !(A.number <= A.number); break;
        case OPERATION_AND:
        case OPERATION_WORD_AND: TO.word = A.word & B.word; break;
        case OPERATION_OR:
        case OPERATION_WORD_OR: TO.word = A.word | B.word; break;
        case OPERATION_NOT: TO.word = A.word ^ 1; break;
        case OPERATION_SELECT: TO.word = A.word ? B.word : r[i->c].word; break;
        case OPERATION_WORD_XOR: TO.word = A.word ^ B.word; break;
        case OPERATION_WORD_ADD: TO.word = A.word + B.word; break;
        case OPERATION_WORD_SUBTRACT: TO.word = A.word - B.word; break;
        case OPERATION_WORD_MULTIPLY: TO.word = A.word * B.word; break;
        case OPERATION_SHIFT_LEFT: TO.word = A.word << i->b; break;
        case OPERATION_SHIFT_RIGHT: TO.word = A.word >> i->b; break;
        case OPERATION_MOVE: TO.word = A.word; break;
        case OPERATION_REPEAT: TO.word = 0; break;
        default: /* until */
            if (++TO.word < i->c && !A.word) {
                i = first + i->b - 1;
            }
        }
    }
#undef TO
#undef A
#undef B
    for (k = 0; k < program->output_count; k++) {
        out[k] = r[program->outputs[k]].number;
    }
}
