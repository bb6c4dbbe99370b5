// Calls about processes that Swift cannot import: variadic system calls and wait-status macros.
#pragma once
#include <signal.h>
#include <sys/types.h>

/// A descriptor that becomes readable when the process ends, or -1 with errno set.
int moqspec_pidfd_open(pid_t pid);
/// A pipe whose ends no program inherits by accident: fills both and gives 0, or -1 with errno set.
int moqspec_pipe(int *ends);
/// Makes reads and writes of a descriptor return at once.
void moqspec_set_nonblocking(int descriptor);
/// The exit status of a wait status, or -1 when a signal ended the process.
int moqspec_exit_status(int wait_status);
/// The signal that ended a process, or 0.
int moqspec_exit_signal(int wait_status);
/// The descriptor from which SIGINT and SIGTERM can be read after they were blocked for the whole process, or -1.
int moqspec_termination_signals(void);
/// Puts SIGINT and SIGTERM back to their default for a child that is about to start: fills `set` with both.
void moqspec_termination_set(sigset_t *set);
