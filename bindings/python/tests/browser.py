"""A browser without a window: Chromium, driven through its pipe by the DevTools protocol."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
GENEROUS = 60.0

_LAUNCHER = "import os, sys; [os.dup2(int(sys.argv[n]), n + 2) for n in (1, 2)]; os.execv(sys.argv[3], sys.argv[3:])"


class Browser:
    """One page."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        options = [
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ]
        command = [str(CHROMIUM), *options, f"--user-data-dir={self._folder.name}", "about:blank"]
        # Chromium reads from descriptor 3 and writes to 4, so the pipe must not have these.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read_there, write_there)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCHER, *map(str, ends), *command],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (read_there, write_there, *ends):
            os.close(end)
        self._read, self._write = read_here, write_here
        self._buffer = b""
        self._numbers = itertools.count(1)
        self._session = ""
        self.errors: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        self._call("Runtime.enable")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        # Its children may still write.
        shutil.rmtree(self._folder.name, ignore_errors=True)
        self._folder._finalizer.detach()

    def open(self, address: str) -> None:
        self._call("Page.navigate", url=address)

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        result = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def until(self, expression: str, expected: Any = True) -> None:
        """Waits until an expression has a value."""
        end = time.monotonic() + GENEROUS
        found = None
        while time.monotonic() < end:
            found = self.run(expression)
            if found == expected:
                return
            time.sleep(0.02)
        raise AssertionError(f"{expression} is {found!r}, not {expected!r}; errors: {self.errors}")

    def press(self, key: str) -> None:
        codes = {"ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Enter": 13, " ": 32, "PageDown": 34}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes[key])

    def emulate(self, **options: Any) -> None:
        """Calls a command of the domain Emulation: `name` and its parameters."""
        self._call(f"Emulation.{options.pop('name')}", **options)

    def picture(self) -> bytes:
        """What the page looks like, as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot")["data"])

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"]))
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], GENEROUS)[0]:
                raise AssertionError("the browser does not respond")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise AssertionError("the browser has ended")
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message
