"""A server that can be killed and started again at the same address."""

import os
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request


class Server:
    """One server with a database of its own. With the load profile it has no limits that one address would meet."""

    def __init__(self, program, home, profile="load"):
        """Without a profile it has the limits that servers have."""
        self.program = program
        self.profile = profile
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        """Starts it, and waits until it listens."""
        options = ["--listen", f"127.0.0.1:{self.port}", "--data", str(self.home)]
        # All visitors of the check come from one address.
        options += ["--profile", self.profile] if self.profile else []
        # A slow disk is no reason to refuse what a check asks for.
        settings = os.environ | {"GRUNDYD_OVERLOAD__TARGET_MS": "0"}
        self.process = subprocess.Popen([self.program, *options], env=settings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not re.match(r"listening on http://", line):
            raise RuntimeError(f"the server did not start: {line!r}")

    def kill(self):
        """Kills it, as power loss would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def status_of(self, path, method="GET", headers=None, body=None):
        """The status and the text that a request without a browser gets."""
        request = urllib.request.Request(self.url + path, method=method, headers=headers or {}, data=body)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
