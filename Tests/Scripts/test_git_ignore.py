"""What `make -C bindings/c` builds in the project's folder does not show up in git."""

import pathlib
import shutil
import subprocess
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@unittest.skipUnless(shutil.which("git") and (PROJECT / ".git").exists(), "needs git and its folder")
class GitIgnore(unittest.TestCase):
    def test_every_program_is_ignored(self) -> None:
        # As if all that is optional was there.
        make = ["make", "-s", "-C", "bindings/c", "PKG_CONFIG=true", "--eval", "names: ; @echo $(programs)", "names"]
        built = subprocess.run(make, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("examples/gtk_list", built)
        paths = [f"bindings/c/{name}" for name in built]
        ignored = subprocess.run(
            ["git", "check-ignore", "--no-index", *paths], cwd=PROJECT, capture_output=True, text=True, check=True
        ).stdout.split()
        self.assertEqual(ignored, paths)


if __name__ == "__main__":
    unittest.main()
