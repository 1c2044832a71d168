"""Tests scripts/setup on systems that are folders of small programs: which command it names, and
what it refuses.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "scripts/setup"
TABLE = SETUP.with_name("packages.txt")
TOOLS = ["awk", "cat", "id", "mktemp", "rm", "sh"]
# A compiler that finds what is in the variable FOUND, and links what is in LINKED.
COMPILER = """#!/bin/sh
program=$(cat)
for word in $FOUND; do
    case "$* $program" in *-lsqlite3*) ;; *"<$word>"*) exit 0 ;; esac
done
for word in $LINKED; do
    case "$* $program" in *-lsqlite3*"$word()"*) exit 0 ;; esac
done
exit 1
"""
FOUND = "stdio.h sqlite3.h"
LINKED = "sqlite3_preupdate_hook sqlite3_column_origin_name"


class SetupTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = Path(folder.name)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)
        self.add("swift", "pkg-config", "strip")

    def add(self, *names: str, text: str = "#!/bin/sh\n") -> None:
        for name in names:
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)

    def setup_says(self, *arguments: str, found: str = FOUND, linked: str = LINKED) -> tuple[int, str]:
        """The status of the script, and what it prints."""
        environment = {"PATH": str(self.bin), "FOUND": found, "LINKED": linked, "TMPDIR": str(self.bin)}
        command = [str(self.bin / "sh"), str(SETUP), "--name", *arguments]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_a_complete_system_is_silent(self) -> None:
        self.add("cc", text=COMPILER)
        self.assertEqual(self.setup_says("build"), (0, ""))
        self.assertEqual([path.name for path in self.bin.glob("tmp.*")], [])

    def test_each_package_manager_has_a_command(self) -> None:
        self.add("cc", text=COMPILER)
        for manager, command in [
            ("apk", "sudo apk add sqlite-dev g++ valgrind python3"),
            ("pacman", "sudo pacman -S --needed sqlite gcc valgrind python"),
            ("dnf", "sudo dnf install sqlite-devel gcc-c++ valgrind python3"),
            ("apt-get", "sudo apt-get install libsqlite3-dev g++ valgrind python3"),
        ]:
            self.add(manager)
            expected = f"setup: packages are missing. This installs them: {command}\n"
            self.assertEqual(self.setup_says("check", found="stdio.h"), (1, expected))

    def test_a_system_without_a_package_manager_gets_the_names(self) -> None:
        self.add("cc", text=COMPILER)
        status, said = self.setup_says("build", found="stdio.h")
        self.assertEqual(status, 1)
        self.assertIn("packages that Debian calls libsqlite3-dev\n", said)

    def test_a_library_without_the_options_is_refused(self) -> None:
        self.add("cc", text=COMPILER)
        hook, metadata = "SQLITE_ENABLE_PREUPDATE_HOOK", "SQLITE_ENABLE_COLUMN_METADATA"
        for linked, lacking in [
            ("sqlite3_column_origin_name", hook),
            ("sqlite3_preupdate_hook", metadata),
            ("", f"{hook} and {metadata}"),
        ]:
            expected = f"setup: SQLite's library (-lsqlite3) was built without {lacking}; see docs/sqlite.md\n"
            self.assertEqual(self.setup_says("build", linked=linked), (1, expected))

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_the_library_of_this_system_passes(self) -> None:
        (self.bin / "cc").write_text(f'#!/bin/sh\nPATH={os.environ["PATH"]}\nexec cc "$@"\n')
        (self.bin / "cc").chmod(0o755)
        self.assertEqual(self.setup_says("build"), (0, ""))

    def test_every_package_has_a_name_for_each_manager(self) -> None:
        rows = [line.split() for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
        self.assertEqual({len(row) for row in rows}, {4})
        self.assertEqual(
            {row[0] for row in rows},
            set(re.findall(r"^ +(?:.* )?(?:need|wish) (\S+)", SETUP.read_text(), re.MULTILINE)),
        )


if __name__ == "__main__":
    unittest.main()
