/* Reads resources/model.txt: words and whole numbers, and numbers as the 16 hexadecimal digits of their bits, so that no setting of the
   importer's language changes them. What does not fit is refused. */
typedef struct Reader {
    char *at;
    /* whether everything so far was as expected */
    int good;
} Reader;

static int is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next word, up to a blank, or to the end of the line. */
static char *next_text(Reader *reader, int whole_line) {
    char *start;
    while (is_blank(*reader->at)) {
        reader->at++;
    }
    start = reader->at;
    while (*reader->at != '\0' && *reader->at != '\n' && (whole_line || !is_blank(*reader->at))) {
        reader->at++;
    }
    if (*reader->at != '\0') {
        *reader->at++ = '\0';
    }
    reader->good = reader->good && *start != '\0';
    return start;
}

static void expect(Reader *reader, const char *word) {
    reader->good = reader->good && strcmp(next_text(reader, 0), word) == 0;
}

static uint64_t next_digits(Reader *reader, unsigned base) {
    static const char digits[] = "0123456789abcdef";
    const char *word = next_text(reader, 0), *digit;
    uint64_t value = 0;
    for (; *word != '\0'; word++) {
        digit = strchr(digits, *word);
        if (digit == NULL || digit >= digits + base) {
            reader->good = 0;
            return 0;
        }
        value = value * base + (uint64_t)(digit - digits);
    }
    return value;
}

/* A whole number of at most `most`. */
static uint32_t next_count(Reader *reader, uint32_t most) {
    const uint64_t value = next_digits(reader, 10);
    reader->good = reader->good && value <= most;
    return reader->good ? (uint32_t)value : 0;
}

static Slot next_bits(Reader *reader) {
    Slot slot;
    slot.word = next_digits(reader, 16);
    return slot;
}

/* A copy of a text that lives as long as the model; none without memory. */
static char *copied(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

static void *room_for(Reader *reader, uint32_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    reader->good = reader->good && memory != NULL;
    return memory;
}

static Instruction next_instruction(Reader *reader, const Program *program) {
    static const char *const names[] = {
#define OPERATION_NAME(code, name, operands) name,
        OPERATIONS(OPERATION_NAME)};
    static const int operands[] = {
#define OPERATION_OPERANDS(code, name, operands) operands,
        OPERATIONS(OPERATION_OPERANDS)};
    const uint32_t last = program->slot_count - 1;
    const char *name = next_text(reader, 0);
    Instruction out = {0, 0, 0, 0, 0};
    while (out.code < OPERATION_COUNT && strcmp(names[out.code], name) != 0) {
        out.code++;
    }
    if (out.code == OPERATION_COUNT) {
        reader->good = 0;
        return out;
    }
    out.to = next_count(reader, last);
    if (operands[out.code] > 0) {
        out.a = next_count(reader, last);
    }
    if (operands[out.code] > 1) {
        const int shifts = out.code == OPERATION_SHIFT_LEFT || out.code == OPERATION_SHIFT_RIGHT;
        out.b = next_count(reader, shifts ? 63 : (out.code == OPERATION_UNTIL ? program->instruction_count : last));
    }
    if (operands[out.code] > 2) {
        out.c = next_count(reader, out.code == OPERATION_UNTIL ? UINT32_MAX : last);
    }
    return out;
}

static void read_program(Reader *reader, Program *program, uint32_t inputs, uint32_t outputs, int may_be_absent) {
    const uint32_t most = 10000000;
    uint32_t literals, k;
    expect(reader, "program");
    (void)next_text(reader, 0);
    program->slot_count = next_count(reader, most);
    literals = next_count(reader, most);
    program->input_count = next_count(reader, most);
    program->instruction_count = next_count(reader, most);
    program->output_count = next_count(reader, outputs);
    reader->good = reader->good && (program->output_count == outputs || (may_be_absent && program->output_count == 0)) &&
                   (program->slot_count > 0 || (literals + program->input_count + program->instruction_count + program->output_count == 0));
    program->slots = room_for(reader, program->slot_count, sizeof(Slot));
    program->inputs = room_for(reader, program->input_count, sizeof(ProgramInput));
    program->instructions = room_for(reader, program->instruction_count, sizeof(Instruction));
    program->outputs = room_for(reader, program->output_count, sizeof(uint32_t));
    if (!reader->good) {
        return;
    }
    for (k = 0; k < literals && reader->good; k++) {
        const uint32_t to = next_count(reader, program->slot_count - 1);
        program->slots[to] = next_bits(reader);
    }
    for (k = 0; k < program->input_count && reader->good; k++) {
        program->inputs[k].to = next_count(reader, program->slot_count - 1);
        program->inputs[k].index = next_count(reader, inputs - 1);
    }
    for (k = 0; k < program->instruction_count && reader->good; k++) {
        program->instructions[k] = next_instruction(reader, program);
    }
    for (k = 0; k < program->output_count && reader->good; k++) {
        program->outputs[k] = next_count(reader, program->slot_count - 1);
    }
}

static void read_model(Reader *reader, Model *model) {
    const uint32_t flag = 1;
    uint32_t states, parameters, lengths[5], outputs[PROGRAMS], i, k;
    const char *token;
    expect(reader, "stiction-unit");
    expect(reader, "2");
    token = next_text(reader, 0);
    reader->good = reader->good && strlen(token) < sizeof model->token;
    if (!reader->good) {
        return;
    }
    strcpy(model->token, token);
    model->is_body = (int)next_count(reader, flag);
    model->memory = (int)next_count(reader, MOST_MEMORY);
    model->parameters = (int)next_count(reader, MOST_LAW_PARAMETERS);
    model->guards = (int)next_count(reader, MOST_LAW_GUARDS);
    model->conditions = (int)next_count(reader, MOST_CONDITIONS);
    model->has_set = (int)next_count(reader, flag);
    model->has_band = (int)next_count(reader, flag);
    model->has_extremum = (int)next_count(reader, flag);
    model->has_jump = (int)next_count(reader, flag);
    model->has_power_of_memory = (int)next_count(reader, flag);
    states = (uint32_t)(2 * model->is_body + model->memory);
    parameters = (uint32_t)(model->is_body + model->parameters);
    lengths[0] = lengths[1] = lengths[2] = parameters;
    lengths[3] = states;
    lengths[4] = (uint32_t)model->memory;
    for (i = 0; i < 5; i++) {
        for (k = 0; k < lengths[i] && reader->good; k++) {
            model->numbers[i][k] = next_bits(reader).number;
        }
    }
    for (k = 0; k < states; k++) {
        model->flows[k] = (char)next_count(reader, flag);
    }
    for (k = 0; k < parameters && reader->good; k++) {
        model->names[k] = copied(next_text(reader, 1));
        reader->good = reader->good && model->names[k] != NULL;
    }
    for (k = 0; k < (uint32_t)model->conditions && reader->good; k++) {
        model->texts[k] = copied(next_text(reader, 1));
        reader->good = reader->good && model->texts[k] != NULL;
    }
    outputs[FLOW] = outputs[FLOW_ALONG] = 1 + (uint32_t)model->memory;
    outputs[HOLD] = outputs[BAND] = outputs[EXTREMUM] = 1;
    outputs[LAW_GUARD] = (uint32_t)model->guards;
    outputs[JUMP] = (uint32_t)model->memory;
    outputs[CONDITION] = (uint32_t)model->conditions;
    for (i = 0; i < PROGRAMS && reader->good; i++) {
        const uint32_t inputs = 3 + (uint32_t)(model->memory + model->parameters);
        const int may_be_absent = i == HOLD || i == BAND || i == EXTREMUM || i == JUMP;
        read_program(reader, &model->programs[i], i == FLOW_ALONG ? 2 * inputs : inputs, outputs[i], may_be_absent);
    }
}

static void free_model(Model *model) {
    int i;
    if (model == NULL) {
        return;
    }
    for (i = 0; i < PROGRAMS; i++) {
        free(model->programs[i].slots);
        free(model->programs[i].inputs);
        free(model->programs[i].instructions);
        free(model->programs[i].outputs);
    }
    for (i = 0; i <= MOST_LAW_PARAMETERS; i++) {
        free(model->names[i]);
    }
    for (i = 0; i < MOST_CONDITIONS; i++) {
        free(model->texts[i]);
    }
    free(model);
}

static const char *model_token(const Model *model) {
    return model->token;
}

static int hexadecimal(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c >= 'a' && c <= 'f' ? c - 'a' + 10 : (c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1));
}

/* The path of the file in the folder of resources, which FMI 2.0 gives as an address file:///..., and FMI 3.0 as a path. */
static char *model_path(const char *resources) {
    static const char name[] = "/model.txt";
    const int is_address = strncmp(resources, "file:", 5) == 0;
    const char *from = is_address ? resources + 5 : resources;
    char *path = malloc(strlen(resources) + sizeof name), *to = path;
    if (path == NULL) {
        return NULL;
    }
    if (is_address && strncmp(from, "//", 2) == 0) {
        /* the name of the machine, if there is one */
        from = strchr(from + 2, '/') == NULL ? from + 2 : strchr(from + 2, '/');
    }
    while (*from != '\0') {
        const int high = is_address && *from == '%' ? hexadecimal(from[1]) : -1, low = high >= 0 ? hexadecimal(from[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *from;
        from += low >= 0 ? 3 : 1;
    }
    strcpy(to, name);
    return path;
}

/* The content of a file, ended by a zero; none if it cannot be read. */
static char *file_content(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
    }
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = calloc((size_t)size + 1, 1);
    }
    if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static Model *load_model(const char *resources, const char **reason) {
    char *path = resources == NULL ? NULL : model_path(resources), *text = path == NULL ? NULL : file_content(path);
    Model *model = calloc(1, sizeof *model);
    Reader reader;
    free(path);
    reader.at = text;
    reader.good = text != NULL && model != NULL;
    if (text == NULL) {
        *reason = "the file model.txt cannot be read in the folder of resources that the importer named";
    } else if (model == NULL) {
        *reason = "there is no memory for another unit";
    } else {
        read_model(&reader, model);
        *reason = "the file model.txt among the resources is damaged, or made for another version of the library";
    }
    free(text);
    if (!reader.good) {
        free_model(model);
        return NULL;
    }
    return model;
}
