"""Child processes that speak JSON lines: started, listened to with a deadline, told things, and always ended."""

import collections
import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time

# The peers start in a third of a second and answer in milliseconds; a busy machine gets a lot more than that.
WAIT_SECONDS = 20
# How long a process may take to end once it was asked to, before it is killed.
END_SECONDS = 5
# What is kept of a process's output to explain a failure.
KEPT_LINES = 40


class Unexpected(Exception):
    """A process did not do what was expected of it; the text says what it did instead."""


class Process:
    """One child process. Use it as a context: leaving the context ends it."""

    def __init__(self, name, command):
        self.name = name
        self._events = queue.Queue()
        self._kept = collections.deque(maxlen=KEPT_LINES)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            errors="replace", start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self):
        """The id of the process."""
        return self._process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def _read(self):
        for line in self._process.stdout:
            self._kept.append(line.rstrip("\n"))
            self._events.put(line.rstrip("\n"))
        self._events.put(None)

    def next_line(self, deadline):
        """The next line of output; raises Unexpected at its end and at the deadline (of time.monotonic)."""
        try:
            line = self._events.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            raise Unexpected(f"{self.name} said nothing more in time{self._last_words()}") from None
        if line is None:
            raise Unexpected(f"{self.name} ended with status {self._process.wait()}{self._last_words()}")
        return line

    def expect(self, event, seconds=WAIT_SECONDS):
        """Waits for this event and returns its fields; other events before it are passed over, a failure is not."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                fields = json.loads(self.next_line(deadline))
            except ValueError:
                continue  # The stack's own log shares the stream.
            if not isinstance(fields, dict):
                continue
            if fields.get("event") == event:
                return fields
            if fields.get("event") == "failed":
                raise Unexpected(f"{self.name} failed before '{event}': {fields.get('error')}")

    def tell(self, line=""):
        """Writes a line to the process."""
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise Unexpected(f"{self.name} ended while it was still needed{self._last_words()}") from None

    def let_go(self):
        """Ends the standard input of the process: it may finish now."""
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def end(self):
        """Ends the process and what it started: politely first. Returns its status."""
        self.let_go()
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = self._process.wait()
        self._reader.join(END_SECONDS)
        return status

    def _last_words(self):
        words = [line for line in self._kept if line]
        return "; its last line was: " + words[-1][:300] if words else ""


def free_port():
    """A port that was free on 127.0.0.1 for both UDP and TCP a moment ago."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram, socket.socket() as stream:
            datagram.bind(("127.0.0.1", 0))
            port = datagram.getsockname()[1]
            try:
                stream.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
