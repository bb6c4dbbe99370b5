#define _GNU_SOURCE
#include "process_shim.h"

#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int moqspec_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int moqspec_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

void moqspec_set_nonblocking(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

int moqspec_exit_status(int wait_status) { return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1; }

int moqspec_exit_signal(int wait_status) { return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0; }

void moqspec_termination_set(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

int moqspec_termination_signals(void) {
    sigset_t set;
    moqspec_termination_set(&set);
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}
