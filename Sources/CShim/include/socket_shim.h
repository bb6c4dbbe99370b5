// Sockets and epoll for the drivers: what sits in unions, control messages and GNU extensions, as plain numbers.
// Every function gives a result of 0 or more, or an error number negated.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// An IP address and a port as numbers of the host's byte order. An IPv4 address has only `low` set.
typedef struct {
    uint64_t high;
    uint64_t low;
    uint16_t port;
    uint8_t is_v6;
} shim_address;

/// One or more datagrams of one peer that arrived together.
typedef struct {
    shim_address from;
    /// How many bytes lie in the slot.
    uint32_t length;
    /// The size of every datagram but the last; 0 when there is one only.
    uint32_t segment;
} shim_arrival;

/// A file descriptor that is ready.
typedef struct {
    uint64_t token;
    uint32_t events;
} shim_ready;

/// How many slots `shim_udp_receive` fills at most.
enum { SHIM_MOST_ARRIVALS = 16 };

/// A non-blocking UDP socket with `buffer` bytes each way, errors told, fragmentation off and GRO on where there is such.
/// `dual` lets an IPv6 socket take IPv4 as well.
int shim_udp_open(int is_v6, int dual, int buffer);
/// A non-blocking TCP socket.
int shim_tcp_open(int is_v6, int dual);
/// Bounds what the kernel receives ahead of its reader.
void shim_limit_receive_buffer(int fd, int bytes);
/// Lets the close of a TCP socket break the connection instead of ending it.
void shim_reset_on_close(int fd);
int shim_bind(int fd, const shim_address *address, int is_v6_socket);
int shim_local_address(int fd, shim_address *address);
int shim_listen(int fd, int backlog);
/// Gives a non-blocking connection.
int shim_accept(int fd, shim_address *from);
/// Gives -EINPROGRESS while the connection is made.
int shim_connect(int fd, const shim_address *address);
/// The error that is pending on a socket, not negated, or 0.
int shim_pending_error(int fd);
/// Ends the sending half.
int shim_end_sending(int fd);
int64_t shim_stream_send(int fd, const uint8_t *bytes, size_t count);
int64_t shim_stream_receive(int fd, uint8_t *bytes, size_t count);

/// Sends datagrams of `segment` bytes (the last may be shorter) in one call; with segment 0, one datagram.
int64_t shim_udp_send(int fd, const shim_address *to, int is_v6_socket, const uint8_t *bytes, size_t count,
                      uint16_t segment);
/// Receives into `count` slots of `slot_size` bytes that lie one after another. Gives how many were filled.
int shim_udp_receive(int fd, uint8_t *slots, size_t slot_size, shim_arrival *arrivals, int count);
/// Takes the next queued error of a UDP socket. Gives the error number, 0 when it is only of local interest.
int shim_udp_next_error(int fd);

int shim_epoll_open(void);
/// Adds (`is_new`) or changes what is waited for. Errors and hang-ups are always told.
int shim_epoll_set(int epoll, int fd, int is_new, int wants_read, int wants_write, uint64_t token);
int shim_epoll_remove(int epoll, int fd);
/// Waits up to `nanoseconds` (negative: without end). Gives how many are ready; an interruption counts as none.
int shim_epoll_wait(int epoll, shim_ready *ready, int count, int64_t nanoseconds);
uint32_t shim_readable(void);
uint32_t shim_writable(void);
uint32_t shim_failed(void);

/// Nanoseconds on the monotonic clock.
uint64_t shim_monotonic(void);

/// Writes up to `count` addresses of `host` in the resolver's order. Gives how many, or a code of getaddrinfo (negative).
int shim_resolve(const char *host, shim_address *addresses, int count);
