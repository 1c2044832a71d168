"""Qt item models that show a list: `TreeModel` with sections as parents, `ListModel` flat. They
need PySide6, PyQt6 or PyQt5: the one that is imported, else the first that is installed.

A model shows a controller, section map or collection, and has no copy of its rows. It announces
changes to views as rows inserted, removed, moved and changed, so that selections and persistent
indexes follow their rows. A model is reset only by `reload`, by `close`, by a reload of its list,
and by a change set of very many steps. The user sorts it, edits and checks its cells, and drags its
rows: the model writes that to the store.

    tasks = store.fetch("tasks", sort="title", section="done")
    model = TreeModel(tasks, ["title", Column(lambda task: f"{task.due:%d.%m.}", "Due")])
    view.setModel(model)

Not imported by `fetchedresults` itself: `pip install fetchedresults[qt]` installs PySide6.
"""

from ._cells import ShownSection
from .columns import Column
from .dispatching import Dispatcher
from .flat import ListModel
from .model import ItemModel
from .pending import Edit
from .scrolling import ScrollAnchor
from .tree import TreeModel

__all__ = ["Column", "Dispatcher", "Edit", "ItemModel", "ListModel", "ScrollAnchor", "ShownSection", "TreeModel"]
