#define _GNU_SOURCE
#include "socket_shim.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
// After the C library's own headers, which it otherwise clashes with.
#include <linux/errqueue.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

static int64_t result(int64_t value) {
    return value < 0 ? -errno : value;
}

static int turn_on(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof value);
}

/// Fills `storage` and gives its size. IPv4 addresses go through IPv6 sockets in mapped form (RFC 4291 section 2.5.5.2).
static socklen_t to_kernel(const shim_address *address, int is_v6_socket, struct sockaddr_storage *storage) {
    memset(storage, 0, sizeof *storage);
    if (!is_v6_socket) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)storage;
        v4->sin_family = AF_INET;
        v4->sin_port = htons(address->port);
        v4->sin_addr.s_addr = htonl((uint32_t)address->low);
        return sizeof *v4;
    }
    uint64_t high = address->high, low = address->low;
    if (!address->is_v6) {
        high = 0;
        low |= 0xFFFF00000000u;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)storage;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(address->port);
    for (int i = 0; i < 8; i++) {
        v6->sin6_addr.s6_addr[i] = (uint8_t)(high >> (56 - 8 * i));
        v6->sin6_addr.s6_addr[8 + i] = (uint8_t)(low >> (56 - 8 * i));
    }
    return sizeof *v6;
}

static void from_kernel(const struct sockaddr_storage *storage, shim_address *address) {
    memset(address, 0, sizeof *address);
    if (storage->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)storage;
        address->port = ntohs(v4->sin_port);
        address->low = ntohl(v4->sin_addr.s_addr);
    } else if (storage->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)storage;
        address->port = ntohs(v6->sin6_port);
        for (int i = 0; i < 8; i++) {
            address->high = address->high << 8 | v6->sin6_addr.s6_addr[i];
            address->low = address->low << 8 | v6->sin6_addr.s6_addr[8 + i];
        }
        if (address->high == 0 && address->low >> 32 == 0xFFFF) {
            address->low &= 0xFFFFFFFFu;
        } else {
            address->is_v6 = 1;
        }
    }
}

static int open_socket(int is_v6, int type, int dual) {
    int fd = socket(is_v6 ? AF_INET6 : AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    if (is_v6) turn_on(fd, IPPROTO_IPV6, IPV6_V6ONLY, !dual);
    return fd;
}

int shim_udp_open(int is_v6, int dual, int buffer) {
    int fd = open_socket(is_v6, SOCK_DGRAM, dual);
    if (fd < 0) return fd;
    // The forced sizes are for the superuser; others get what the system allows.
    if (turn_on(fd, SOL_SOCKET, SO_RCVBUFFORCE, buffer) < 0) turn_on(fd, SOL_SOCKET, SO_RCVBUF, buffer);
    if (turn_on(fd, SOL_SOCKET, SO_SNDBUFFORCE, buffer) < 0) turn_on(fd, SOL_SOCKET, SO_SNDBUF, buffer);
    if (!is_v6 || dual) {
        turn_on(fd, IPPROTO_IP, IP_RECVERR, 1);
        turn_on(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    }
    if (is_v6) {
        turn_on(fd, IPPROTO_IPV6, IPV6_RECVERR, 1);
        turn_on(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
    }
    turn_on(fd, IPPROTO_UDP, UDP_GRO, 1);
    return fd;
}

/* Bytes that the kernel takes ahead of what it can send: enough to keep a connection busy, little enough that what
   becomes urgent later does not wait behind much. */
static const int unsent_limit = 128 * 1024;

static void prepare_stream(int fd) {
    turn_on(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    turn_on(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, unsent_limit);
}

int shim_tcp_open(int is_v6, int dual) {
    int fd = open_socket(is_v6, SOCK_STREAM, dual);
    if (fd >= 0) turn_on(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (fd >= 0) prepare_stream(fd);
    return fd;
}

void shim_limit_receive_buffer(int fd, int bytes) { turn_on(fd, SOL_SOCKET, SO_RCVBUF, bytes); }

void shim_reset_on_close(int fd) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

int shim_bind(int fd, const shim_address *address, int is_v6_socket) {
    struct sockaddr_storage storage;
    socklen_t size = to_kernel(address, is_v6_socket, &storage);
    return (int)result(bind(fd, (struct sockaddr *)&storage, size));
}

int shim_local_address(int fd, shim_address *address) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (getsockname(fd, (struct sockaddr *)&storage, &size) < 0) return -errno;
    from_kernel(&storage, address);
    return 0;
}

int shim_listen(int fd, int backlog) {
    return (int)result(listen(fd, backlog));
}

int shim_accept(int fd, shim_address *from) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    int accepted = accept4(fd, (struct sockaddr *)&storage, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) return -errno;
    prepare_stream(accepted);
    from_kernel(&storage, from);
    return accepted;
}

int shim_connect(int fd, const shim_address *address) {
    struct sockaddr_storage storage;
    socklen_t size = to_kernel(address, address->is_v6, &storage);
    return (int)result(connect(fd, (struct sockaddr *)&storage, size));
}

int shim_pending_error(int fd) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}

int shim_end_sending(int fd) {
    return (int)result(shutdown(fd, SHUT_WR));
}

int64_t shim_stream_send(int fd, const uint8_t *bytes, size_t count) {
    return result(send(fd, bytes, count, MSG_NOSIGNAL));
}

/* What is shorter is acknowledged at once. A peer that does not set TCP_NODELAY (observed, moq-ffi 0.4.18) holds its
   next small message back until the one before it is acknowledged, which the kernel otherwise does after 40 ms when
   there is nothing to send: of the messages that open our windows each would cost that. */
static const int64_t short_piece = 1024;

int64_t shim_stream_receive(int fd, uint8_t *bytes, size_t count) {
    int64_t received = result(recv(fd, bytes, count, 0));
    if (received > 0 && received < short_piece) turn_on(fd, IPPROTO_TCP, TCP_QUICKACK, 1);
    return received;
}

int64_t shim_udp_send(int fd, const shim_address *to, int is_v6_socket, const uint8_t *bytes, size_t count,
                      uint16_t segment) {
    struct sockaddr_storage storage;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        char bytes[CMSG_SPACE(sizeof(uint16_t))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_name = &storage, .msg_iov = &part, .msg_iovlen = 1};
    message.msg_namelen = to_kernel(to, is_v6_socket, &storage);
    if (segment > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_UDP;
        header->cmsg_type = UDP_SEGMENT;
        header->cmsg_len = CMSG_LEN(sizeof segment);
        memcpy(CMSG_DATA(header), &segment, sizeof segment);
    }
    return result(sendmsg(fd, &message, MSG_NOSIGNAL));
}

int shim_udp_receive(int fd, uint8_t *slots, size_t slot_size, shim_arrival *arrivals, int count) {
    struct mmsghdr messages[SHIM_MOST_ARRIVALS];
    struct iovec parts[SHIM_MOST_ARRIVALS];
    struct sockaddr_storage names[SHIM_MOST_ARRIVALS];
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } controls[SHIM_MOST_ARRIVALS];
    if (count > SHIM_MOST_ARRIVALS) count = SHIM_MOST_ARRIVALS;
    memset(messages, 0, sizeof *messages * (size_t)count);
    for (int i = 0; i < count; i++) {
        parts[i].iov_base = slots + slot_size * (size_t)i;
        parts[i].iov_len = slot_size;
        messages[i].msg_hdr.msg_name = &names[i];
        messages[i].msg_hdr.msg_namelen = sizeof names[i];
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_control = controls[i].bytes;
        messages[i].msg_hdr.msg_controllen = sizeof controls[i].bytes;
    }
    int received = recvmmsg(fd, messages, (unsigned)count, MSG_DONTWAIT, NULL);
    if (received < 0) return -errno;
    for (int i = 0; i < received; i++) {
        from_kernel(&names[i], &arrivals[i].from);
        arrivals[i].length = messages[i].msg_len;
        arrivals[i].segment = 0;
        struct msghdr *message = &messages[i].msg_hdr;
        for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
            if (header->cmsg_level == IPPROTO_UDP && header->cmsg_type == UDP_GRO) {
                int segment = 0;
                memcpy(&segment, CMSG_DATA(header), sizeof segment);
                arrivals[i].segment = (uint32_t)segment;
            }
        }
    }
    return received;
}

int shim_udp_next_error(int fd) {
    char control[512];
    struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        int is_error = (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR) ||
                       (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR);
        if (!is_error) continue;
        struct sock_extended_err error;
        memcpy(&error, CMSG_DATA(header), sizeof error);
        if (error.ee_origin != SO_EE_ORIGIN_LOCAL) return (int)error.ee_errno;
    }
    return 0;
}

int shim_epoll_open(void) {
    return (int)result(epoll_create1(EPOLL_CLOEXEC));
}

int shim_epoll_set(int epoll, int fd, int is_new, int wants_read, int wants_write, uint64_t token) {
    struct epoll_event event = {.data.u64 = token};
    if (wants_read) event.events |= EPOLLIN;
    if (wants_write) event.events |= EPOLLOUT;
    return (int)result(epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event));
}

int shim_epoll_remove(int epoll, int fd) {
    return (int)result(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL));
}

int shim_epoll_wait(int epoll, shim_ready *ready, int count, int64_t nanoseconds) {
    struct epoll_event events[64];
    if (count > 64) count = 64;
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int found = epoll_pwait2(epoll, events, count, nanoseconds < 0 ? NULL : &limit, NULL);
    if (found < 0 && (errno == ENOSYS || errno == EPERM)) {
        // A kernel before 5.11, or a sandbox that does not know the call: whole milliseconds, rounded up.
        int64_t milliseconds = nanoseconds < 0 ? -1 : nanoseconds / 1000000 + (nanoseconds % 1000000 > 0);
        found = epoll_wait(epoll, events, count, milliseconds > 3600000 ? 3600000 : (int)milliseconds);
    }
    if (found < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < found; i++) {
        ready[i].token = events[i].data.u64;
        ready[i].events = events[i].events;
    }
    return found;
}

uint32_t shim_readable(void) {
    return EPOLLIN | EPOLLHUP;
}

uint32_t shim_writable(void) {
    return EPOLLOUT;
}

uint32_t shim_failed(void) {
    return EPOLLERR;
}

uint64_t shim_monotonic(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int shim_resolve(const char *host, shim_address *addresses, int count) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(host, NULL, &hints, &list);
    if (code != 0) return code < 0 ? code : -code;
    int found = 0;
    for (struct addrinfo *entry = list; entry && found < count; entry = entry->ai_next) {
        struct sockaddr_storage storage = {0};
        if (entry->ai_addrlen > sizeof storage) continue;
        memcpy(&storage, entry->ai_addr, entry->ai_addrlen);
        from_kernel(&storage, &addresses[found++]);
    }
    freeaddrinfo(list);
    return found;
}
