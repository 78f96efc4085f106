/* How functions of the interface are exported. */
#define PASTED(a, b) a##b
#define PASTE(a, b) PASTED(a, b)
#if defined(_WIN32)
#define API __declspec(dllexport)
#elif defined(__GNUC__)
#define API __attribute__((visibility("default")))
#else
#define API
#endif
/* A function is declared and defined. */
#define EXPORTED(type, name, arguments) \
    API type name arguments; \
    API type name arguments
