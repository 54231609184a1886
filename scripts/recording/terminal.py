"""A program at a terminal: what is typed, and what is on the screen then."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

import pyte

COLUMNS, ROWS = 80, 32
# A screen is as it stays when nothing has come for so long, in seconds.
QUIET = 0.4
PATIENCE = 30


class Terminal:
    """A program that runs at a terminal of its own."""

    def __init__(self, command, home):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        environment = {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def type(self, text):
        """Types as a person does."""
        os.write(self.terminal, text.encode())

    def until(self, words):
        """Waits until the screen has these words and stays as it is; the screen."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], QUIET)
            if ready:
                self.stream.feed(os.read(self.terminal, 65_536))
            elif any(words in line for line in self.screen.display):
                return self.seen()
        shown = "\n".join(self.screen.display)
        raise RuntimeError(f"the screen never has {words!r}:\n{shown}")

    def seen(self):
        """The screen: for each row its characters with their colours."""
        rows = []
        for y in range(ROWS):
            line = self.screen.buffer[y]
            rows.append([line[x] for x in range(COLUMNS)])
        cursor = None if self.screen.cursor.hidden else (self.screen.cursor.x, self.screen.cursor.y)
        return rows, cursor

    def close(self):
        """Ends the program as a closed window does."""
        os.close(self.terminal)
        os.waitpid(self.process, 0)
