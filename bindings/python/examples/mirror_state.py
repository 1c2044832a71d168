"""Shows what a mirror does: mirror_state.py FILE. Its state is a row of the file."""

import sys

from fetchedresults import Store

store = Store(sys.argv[1], read_only=True)
states = store.fetch("frmirror")


def show(changes=None):
    for row in states.objects:
        extent = f" {row.done} of {row.total}" if row.total else ""
        print(row.state, row.table_name or "", extent, row.why or "", flush=True)


show()
states.add_observer(show)
while states.objects[0].state != "stopped":
    store.wait()
