// What Swift cannot have of libavformat and libavcodec directly: the libraries themselves, which are loaded at the
// first use (linked, they and the hundred libraries below them would cost every start of the program a tenth of a
// second), constants that are macros, and what differs between FFmpeg 5.1 and later ones.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/pixdesc.h>
#include <stdint.h>

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

// Every function that is used, with the library it is in.
#define MOQSPEC_LIBAV_FUNCTIONS(F)                                                                                     \
    F(avutil, av_malloc)                                                                                               \
    F(avutil, av_mallocz)                                                                                              \
    F(avutil, av_free)                                                                                                 \
    F(avutil, av_freep)                                                                                                \
    F(avutil, av_max_alloc)                                                                                            \
    F(avutil, av_strerror)                                                                                             \
    F(avutil, av_dict_set)                                                                                             \
    F(avutil, av_dict_free)                                                                                            \
    F(avutil, av_rescale_q)                                                                                            \
    F(avutil, av_log_set_callback)                                                                                     \
    F(avutil, av_frame_alloc)                                                                                          \
    F(avutil, av_frame_free)                                                                                           \
    F(avutil, av_frame_unref)                                                                                          \
    F(avutil, av_pix_fmt_desc_get)                                                                                     \
    F(avutil, av_channel_layout_default)                                                                               \
    F(avutil, av_get_packed_sample_fmt)                                                                                \
    F(avutil, av_sample_fmt_is_planar)                                                                                 \
    F(avcodec, avcodec_find_decoder_by_name)                                                                           \
    F(avcodec, avcodec_get_name)                                                                                       \
    F(avcodec, avcodec_alloc_context3)                                                                                 \
    F(avcodec, avcodec_free_context)                                                                                   \
    F(avcodec, avcodec_open2)                                                                                          \
    F(avcodec, avcodec_send_packet)                                                                                    \
    F(avcodec, avcodec_receive_frame)                                                                                  \
    F(avcodec, avcodec_flush_buffers)                                                                                  \
    F(avcodec, av_packet_alloc)                                                                                        \
    F(avcodec, av_packet_free)                                                                                         \
    F(avcodec, av_packet_unref)                                                                                        \
    F(avcodec, av_new_packet)                                                                                          \
    F(avformat, avformat_alloc_context)                                                                                \
    F(avformat, avformat_open_input)                                                                                   \
    F(avformat, avformat_close_input)                                                                                  \
    F(avformat, av_read_frame)                                                                                         \
    F(avformat, avformat_alloc_output_context2)                                                                        \
    F(avformat, avformat_new_stream)                                                                                   \
    F(avformat, avformat_write_header)                                                                                 \
    F(avformat, av_interleaved_write_frame)                                                                            \
    F(avformat, av_write_trailer)                                                                                      \
    F(avformat, avformat_free_context)                                                                                 \
    F(avformat, avio_alloc_context)                                                                                    \
    F(avformat, avio_context_free)                                                                                     \
    F(avformat, avio_flush)

// The functions of the libraries, under their own names.
struct moqspec_libav {
#define MOQSPEC_LIBAV_FIELD(library, name) __typeof__(name) *_Nonnull name;
    MOQSPEC_LIBAV_FUNCTIONS(MOQSPEC_LIBAV_FIELD)
#undef MOQSPEC_LIBAV_FIELD
};

// The libraries, loaded by the first call from whichever thread. NULL when they cannot be: then `moqspec_libav_problem`
// says why, and so it stays.
const struct moqspec_libav *_Nullable moqspec_libav_load(void);
const char *_Nonnull moqspec_libav_problem(void);

// Nothing is ever printed: the first line of errors that the libraries logged on this thread is kept until it is
// forgotten.
void moqspec_libav_forget_log(void);
const char *_Nonnull moqspec_libav_log(void);

// Takes what a muxer wrote; gives a negative number when it cannot.
typedef int (*moqspec_libav_sink)(void *_Nullable opaque, const uint8_t *_Nullable bytes, int count);

// A context that writes into a sink and cannot seek. NULL when there is no memory. It is freed, with its buffer, by
// `moqspec_libav_free_io`.
AVIOContext *_Nullable moqspec_libav_new_output(int buffer_size, moqspec_libav_sink _Nonnull sink, void *_Nonnull opaque);
void moqspec_libav_free_io(AVIOContext *_Nullable context);

// Macros as numbers.
extern const int moqspec_libav_end_of_file;
extern const int moqspec_libav_try_again;
extern const int moqspec_libav_invalid_data;
extern const int64_t moqspec_libav_no_time;
extern const int moqspec_libav_seek_size;
extern const int moqspec_libav_input_padding;
