"""Programs that run in a terminal of 24 lines with 100 columns."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import termios

LONGEST = 120
"""After how many seconds a program that waits for ever is ended."""


def run_in_terminal(command: list[str], *, keys: str = "", prompt: str = "\n") -> tuple[int, str]:
    """The status of the program, and what it writes. Each time that it writes the prompt, the next
    key is pressed.
    """
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        signal.alarm(LONGEST)
        os.execvpe(command[0], command, {**os.environ, "TERM": "xterm"})
    written = b""
    pressed = 0
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the program has ended
            break
        written += part
        prompts = written.count(prompt.encode())
        os.write(terminal, keys[pressed:prompts].encode())
        pressed = min(prompts, len(keys))
    os.close(terminal)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), written.decode()
