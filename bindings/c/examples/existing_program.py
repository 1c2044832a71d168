"""A program with objects, a connection and a writer thread of its own, and a live list
under its view: existing_program.py DATABASE [TITLE...] adds tracks, and prints the view
after each commit.
"""

import queue
import sqlite3
import sys
import threading

import gi

gi.require_version("FrG", "1")
from gi.repository import FrG, GLib, GObject  # noqa: E402

SCHEMA = """CREATE TABLE IF NOT EXISTS tracks (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, plays INTEGER DEFAULT 0)"""


class Track(GObject.Object):
    """A track of the program. The database does not have its colour."""

    title = GObject.Property(type=str)
    plays = GObject.Property(type=int)
    colour = GObject.Property(type=str, default="grey")

    def __init__(self, identity):
        super().__init__()
        self.identity = identity


class Library:
    """The tracks of the program by their ids. Any thread asks for them."""

    def __init__(self):
        self.tracks = {}
        self.lock = threading.Lock()

    def track(self, identity):
        """The one object of a row. Who asks first makes it."""
        with self.lock:
            if identity not in self.tracks:
                self.tracks[identity] = Track(identity)
            return self.tracks[identity]


class Writer(threading.Thread):
    """Writes on a connection of its own. Other threads pass it what to do."""

    def __init__(self, path, library):
        super().__init__(daemon=True)
        self.path, self.library, self.jobs = path, library, queue.Queue()
        self.start()

    def run(self):
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        while (job := self.jobs.get()) is not None:
            job(connection)
        connection.close()

    def add(self, title, colour, committed=lambda: None):
        """Adds a track, and gives its object a colour."""

        def job(connection):
            insert = "INSERT INTO tracks (title) VALUES (?)"
            identity = connection.execute(insert, (title,)).lastrowid
            committed()
            track = self.library.track(identity)
            GLib.idle_add(track.set_property, "colour", colour)

        self.jobs.put(job)

    def play(self, track):
        """Counts that a track is played."""
        sql = "UPDATE tracks SET plays = plays + 1 WHERE id = ?"
        self.jobs.put(lambda connection: connection.execute(sql, (track.identity,)))

    def close(self):
        self.jobs.put(None)
        self.join()


def track_list(store, library):
    """The tracks of the view: those of the program, most played first."""

    def track_of(row, _):
        track = library.track(row["id"])
        track.title, track.plays = row["title"], row["plays"]
        return track

    request = FrG.Request(entity="tracks", sort=["-plays", "title"])
    return FrG.ObjectList.new(FrG.ListModel.new(store, request), track_of)


def text_of(tracks):
    """What a view of the tracks shows."""
    return ", ".join(f"{each.title} {each.plays} ({each.colour})" for each in tracks)


def wait_for(condition):
    while not condition():
        GLib.MainContext.default().iteration(True)


def main(path, *titles):
    library = Library()
    with FrG.Store.new(path, FrG.StoreFlags.QUEUED) as store:
        store.execute_script(SCHEMA)
        tracks, writer = track_list(store, library), Writer(path, library)
        shown = threading.Event()
        for number, title in enumerate(titles, 1):
            # The worst order: the list shows the row before the writer has its object.
            writer.add(title, "red", committed=shown.wait)
            wait_for(lambda: len(tracks) == number)
            first = next(track for track in tracks if track.title == title)
            print(text_of(tracks))
            shown.set()
            wait_for(lambda: first.colour == "red")
            shown.clear()
        writer.play(tracks[-1])
        wait_for(lambda: tracks[0].plays == 1)
        print(text_of(tracks))
        writer.close()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (GLib.Error, sqlite3.Error) as error:
        sys.exit(f"existing_program.py: {error}")
