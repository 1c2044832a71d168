"""The example of docs/web.md, called as a server calls it, and its element in a browser's place."""

from __future__ import annotations

import importlib.util
import sys
import unittest
from typing import Any

from async_support import run
from support import PACKAGE, StoreTestCase
from web_support import Client, Shown


def example() -> Any:
    """The module of the example."""
    path = PACKAGE / "examples" / "web_tasks.py"
    specification = importlib.util.spec_from_file_location("web_tasks", path)
    module = importlib.util.module_from_spec(specification)
    sys.modules["web_tasks"] = module
    specification.loader.exec_module(module)
    return module


class Example(StoreTestCase):
    def test_a_page_sees_what_another_page_does(self):
        module = example()

        async def test() -> None:
            with module.open_tasks(str(self.folder() / "tasks.db")) as store:
                application = module.Tasks(store)
                async with Client(application, "/", stream=False) as client:
                    self.assertEqual((client.status, await client.body()), (200, module.PAGE))
                async with Client(application, "/lists/fetchedresults.js", stream=False) as client:
                    self.assertEqual(client.status, 200)
                async with Client(application, "/lists/tasks", "search=a&order=due") as client:
                    shown = await Shown(client).next()
                    self.assertEqual(shown.titles, [["Bake bread", "Call home"], ["Answer mail", "Water plants"]])
                    for headers, status in (((), 403), ((("x-tasks", "1"),), 204)):
                        async with Client(
                            application, "/toggle", "id=2", stream=False, method="POST", headers=headers
                        ) as other:
                            self.assertEqual(other.status, status)
                    await shown.next()
                    self.assertEqual(shown.titles, [["Bake bread"], ["Answer mail", "Water plants", "Call home"]])
                async with Client(application, "/other", stream=False) as client:
                    self.assertEqual(client.status, 404)
                application.lists.close()

        run(test())


if __name__ == "__main__":
    unittest.main()
