#include "CMediaShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// No allocation of the libraries is greater: a damaged file asks for gigabytes where a sane one needs megabytes.
#define GREATEST_ALLOCATION (128u << 20)

const int moqspec_libav_end_of_file = AVERROR_EOF;
const int moqspec_libav_try_again = AVERROR(EAGAIN);
const int moqspec_libav_invalid_data = AVERROR_INVALIDDATA;
const int64_t moqspec_libav_no_time = AV_NOPTS_VALUE;
const int moqspec_libav_seek_size = AVSEEK_SIZE;
const int moqspec_libav_input_padding = AV_INPUT_BUFFER_PADDING_SIZE;

static struct moqspec_libav functions;
static int is_loaded;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Thread_local char log_line[256];

static void keep_log(void *context, int level, const char *format, va_list arguments) {
    (void)context;
    if (level > AV_LOG_ERROR || log_line[0]) return;
    vsnprintf(log_line, sizeof log_line, format, arguments);
    log_line[strcspn(log_line, "\r\n")] = 0;
}

void moqspec_libav_forget_log(void) { log_line[0] = 0; }

const char *moqspec_libav_log(void) { return log_line; }

static void *open_library(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library && !problem[0]) snprintf(problem, sizeof problem, "%s", dlerror());
    return library;
}

static void *find(void *library, const char *name) {
    void *function = library ? dlsym(library, name) : NULL;
    if (!function && !problem[0]) snprintf(problem, sizeof problem, "%s is not in the library", name);
    return function;
}

// The struct layouts are those of the headers, so the libraries have to be of the very same major version.
#define SONAME(library, major) "lib" library ".so." AV_STRINGIFY(major)

static void load(void) {
    void *avutil = open_library(SONAME("avutil", LIBAVUTIL_VERSION_MAJOR));
    void *avcodec = open_library(SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR));
    void *avformat = open_library(SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR));
#define MOQSPEC_LIBAV_FIND(library, name) *(void **)&functions.name = find(library, #name);
    MOQSPEC_LIBAV_FUNCTIONS(MOQSPEC_LIBAV_FIND)
    if (problem[0]) return;
    functions.av_log_set_callback(keep_log);
    functions.av_max_alloc(GREATEST_ALLOCATION);
    is_loaded = 1;
}

const struct moqspec_libav *moqspec_libav_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *moqspec_libav_problem(void) { return problem; }

// Where the sink of an output is kept: it lives as long as its context.
struct output {
    moqspec_libav_sink sink;
    void *opaque;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_output(void *opaque, written_byte *bytes, int count) {
    const struct output *output = opaque;
    return output->sink(output->opaque, bytes, count);
}

AVIOContext *moqspec_libav_new_output(int buffer_size, moqspec_libav_sink sink, void *opaque) {
    struct output *output = functions.av_mallocz(sizeof *output);
    unsigned char *buffer = functions.av_malloc(buffer_size);
    AVIOContext *context = NULL;
    if (output && buffer) {
        *output = (struct output){sink, opaque};
        context = functions.avio_alloc_context(buffer, buffer_size, 1, output, NULL, write_output, NULL);
    }
    if (!context) {
        functions.av_free(buffer);
        functions.av_free(output);
        return NULL;
    }
    context->seekable = 0;
    return context;
}

void moqspec_libav_free_io(AVIOContext *context) {
    if (!context) return;
    if (context->write_flag) functions.av_free(context->opaque);
    functions.av_freep(&context->buffer);
    functions.avio_context_free(&context);
}
