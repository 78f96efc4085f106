/* Everything about the law is a constant of model.h, or a function of law.c: there is nothing to be read. */
struct Model {
    const char *token;
};

static const char *model_token(const Model *model) {
    return model->token;
}

static Model *load_model(const char *resources, const char **reason) {
    static Model model = {UNIT_TOKEN};
    (void)resources;
    (void)reason;
    return &model;
}

static void free_model(Model *model) {
    (void)model;
}
