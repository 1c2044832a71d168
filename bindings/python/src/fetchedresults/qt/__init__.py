"""Qt item models that show a list: `TreeModel` with sections as parents, `ListModel` flat. They
need PySide6.

A model shows a controller, section map or collection, and has no copy of its rows. It announces
each change to views as what it is: rows inserted, removed, moved and changed, so that selections
and persistent indexes follow their rows. A model is reset only by `reload`, by `close`, and by a
reload of its list.

    tasks = store.fetch("tasks", sort="title", section="done")
    model = TreeModel(tasks, ["title", Column(lambda task: f"{task.due:%d.%m.}", "Due")])
    view.setModel(model)

Not imported by `fetchedresults` itself: `pip install fetchedresults[qt]` installs PySide6.
"""

from .columns import Column
from .flat import ListModel
from .model import ItemModel, ShownSection
from .tree import TreeModel

__all__ = ["Column", "ItemModel", "ListModel", "ShownSection", "TreeModel"]
