"""Takes the pictures of the windows of the examples: windows.py FOLDER [PROGRAM...].

Programs of GTK run in Xvfb, which writes what its screen shows to a file; those of Qt draw their
window without a screen. All show the same tasks. A window that stays blank is an error.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GTK = ROOT / "bindings" / "c" / "examples"
QT = ROOT / "bindings" / "python" / "examples"
SCREEN = (640, 480)
LIMIT = 30
TASKS = [
    ("Answer the letter about the garden fence", 0, "Home", 3.0),
    ("Bake bread", 0, "Kitchen", 1.0),
    ("Buy milk, flour, and two dozen eggs", 0, "Kitchen", 4.0),
    ("Call the bank", 1, "Work", 2.0),
    ("Plan the week", 1, "Work", 5.0),
    ("Water the tomatoes", 0, "Garden", 6.0),
]

# Runs a program of Qt that ends when its window was grabbed.
GRAB = """
import runpy, sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

def grab():
    widgets = QApplication.topLevelWidgets() if isinstance(QGuiApplication.instance(), QApplication) else []
    shown = [widget.grab() for widget in widgets if widget.isVisible()]
    (shown or [window.grabWindow() for window in QGuiApplication.topLevelWindows()])[0].save({picture!r})
    QGuiApplication.quit()

loop = QGuiApplication.exec
QApplication.exec = QGuiApplication.exec = lambda *_: (QTimer.singleShot(300, grab), loop())[1]
sys.argv = [{program!r}, {database!r}]
runpy.run_path({program!r}, run_name="__main__")
"""


def fill(path: str, program: Path) -> None:
    """Makes the tasks that the windows show, in the table that the programs make."""
    schema = program.read_text(encoding="utf-8").split('"""CREATE', 1)[1].split('"""', 1)[0]
    database = sqlite3.connect(path)
    database.execute("CREATE" + schema)
    database.executemany("INSERT INTO tasks (title, done, area, position) VALUES (?, ?, ?, ?)", TASKS)
    database.commit()
    database.close()


def write_png(path: Path, rows: list[bytes]) -> None:
    """Writes rows of three bytes for each pixel."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def read_png(path: Path) -> list[bytes]:
    """Reads what write_png has written."""
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    (length,) = struct.unpack(">I", data[33:37])
    pixels, stride = zlib.decompress(data[41 : 41 + length]), 3 * width + 1
    return [pixels[y * stride + 1 : (y + 1) * stride] for y in range(height)]


def rows_of_screen(frame: bytes) -> list[bytes]:
    """The screen that Xvfb writes, a window dump of X, as rows of red, green and blue."""
    fields = struct.unpack(">25I", frame[:100])
    width, height, stride, colors = fields[4], fields[5], fields[12], fields[19]
    start = fields[0] + 12 * colors
    lines = (frame[start + stride * y : start + stride * y + 4 * width] for y in range(height))
    rows = []
    for line in lines:
        row = bytearray(3 * width)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
        rows.append(bytes(row))
    return rows


def window_in(rows: list[bytes]) -> list[bytes]:
    """The part of the screen that is not black, as no window is there."""
    black = bytes(len(rows[0]))
    filled = [y for y, row in enumerate(rows) if row != black]
    if not filled:
        return []
    rows = rows[filled[0] : filled[-1] + 1]
    used = [x for x in range(len(black) // 3) if any(row[3 * x : 3 * x + 3] != b"\0\0\0" for row in rows)]
    return [row[3 * used[0] : 3 * used[-1] + 3] for row in rows]


def is_blank(rows: list[bytes]) -> bool:
    """Whether a picture shows a single colour, or hardly anything else."""
    pixels: dict[bytes, int] = {}
    for row in rows:
        for x in range(0, len(row), 3):
            pixels[row[x : x + 3]] = pixels.get(row[x : x + 3], 0) + 1
    total = sum(pixels.values())
    return len(pixels) < 16 or max(pixels.values()) > 0.99 * total


def take_of_gtk(program: Path, database: str) -> list[bytes]:
    """Runs a program in Xvfb until its window is there and rests."""
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = os.pipe()
        server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writer),
                "-screen",
                "0",
                f"{SCREEN[0]}x{SCREEN[1]}x24",
                "-fbdir",
                folder,
            ],
            pass_fds=[writer],
            stderr=subprocess.DEVNULL,
        )
        os.close(writer)
        with open(reader) as numbers:
            display = numbers.readline().strip()
        environment = {**os.environ, "DISPLAY": ":" + display, "GSK_RENDERER": "cairo", "GTK_A11Y": "none"}
        shown = subprocess.Popen([sys.executable, str(program), database], env=environment, stderr=subprocess.DEVNULL)
        try:
            return resting_window(Path(folder, "Xvfb_screen0"))
        finally:
            shown.terminate()
            shown.wait()
            server.terminate()
            server.wait()


def resting_window(screen: Path) -> list[bytes]:
    """The window, when it has been the same for a second."""
    last, since, end = b"", 0.0, time.monotonic() + LIMIT
    while time.monotonic() < end:
        frame = screen.read_bytes() if screen.exists() else b""
        if frame != last or not frame:
            last, since = frame, time.monotonic()
        elif time.monotonic() - since > 1:
            rows = window_in(rows_of_screen(frame))
            if rows and not is_blank(rows):
                return rows
        time.sleep(0.1)
    raise SystemExit("no window, or a blank one, was shown")


def take_of_qt(program: Path, database: str) -> list[bytes]:
    """Runs a program without a screen, and grabs its window."""
    picture = Path(database).with_name("window.ppm")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software"}
    text = GRAB.format(program=str(program), database=database, picture=str(picture))
    subprocess.run([sys.executable, "-c", text], env=environment, check=True, timeout=LIMIT, stderr=subprocess.DEVNULL)
    _, size, _, pixels = picture.read_bytes().split(b"\n", 3)
    stride = 3 * int(size.split()[0])
    return [pixels[start : start + stride] for start in range(0, len(pixels), stride)]


PROGRAMS = {
    "gtk-list": (take_of_gtk, GTK / "gtk_list.py"),
    "gtk-columns": (take_of_gtk, GTK / "gtk_columns.py"),
    "gtk-sections": (take_of_gtk, GTK / "gtk_sections.py"),
    "qt-list": (take_of_qt, QT / "qt_list.py"),
    "qml-list": (take_of_qt, QT / "qml_list.py"),
}


def main(folder: str, *names: str) -> None:
    for name in names or PROGRAMS:
        take, program = PROGRAMS[name]
        with tempfile.TemporaryDirectory() as place:
            database = str(Path(place, "tasks.db"))
            fill(database, program)
            rows = take(program, database)
            if is_blank(rows):
                raise SystemExit(f"{program.name} shows a blank window")
            write_png(Path(folder, name + ".png"), rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
