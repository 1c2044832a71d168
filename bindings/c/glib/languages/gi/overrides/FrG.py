"""What Python adds to the models for GLib: parameters as Python's values, items as mappings, stores
and transactions in `with` statements."""

import contextlib

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import GLib

FrG = get_introspection_module("FrG")

__all__ = []


def _value(value):
    """A value of SQL as a variant."""
    if value is None:
        return GLib.Variant("ms", None)
    if isinstance(value, GLib.Variant):
        return value
    for kinds, signature in ((bool, "b"), (int, "x"), (float, "d"), (str, "s")):
        if isinstance(value, kinds):
            return GLib.Variant(signature, value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return GLib.Variant.new_from_bytes(GLib.VariantType("ay"), GLib.Bytes.new(bytes(value)), True)
    raise TypeError(f"SQL has no value for {type(value).__name__}: pass int, float, str, bytes, bool or None")


def parameters(values):
    """The parameters of a statement or request as the variant that the library takes: a sequence
    for "?", a mapping for names, one value, or None for no parameters."""
    if values is None or isinstance(values, GLib.Variant):
        return values
    if isinstance(values, dict):
        return GLib.Variant("a{sv}", {name: _value(value) for name, value in values.items()})
    if isinstance(values, (tuple, list)):
        return GLib.Variant("av", [_value(value) for value in values])
    return _value(values)


__all__.append("parameters")


class Store(FrG.Store):
    """A database. `with FrG.Store.new(path, 0) as store:` closes it at the end."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_open():
            self.close()

    def execute(self, sql, values=None):
        return super().execute(sql, parameters(values))

    def query(self, sql, values=None):
        return super().query(sql, parameters(values))

    @contextlib.contextmanager
    def transaction(self):
        """Commits at the end of a `with` statement, or rolls back if that ends by an exception."""
        self.begin()
        try:
            yield self
        except BaseException:
            self.rollback()
            raise
        try:
            self.commit()
        except GLib.Error:
            # It is open if it could not be committed now, as when another connection reads;
            # otherwise there is nothing to roll back, and the commit's error is the one to report.
            with contextlib.suppress(GLib.Error):
                self.rollback()
            raise


Store = override(Store)
__all__.append("Store")


class Request(FrG.Request):
    """Which rows, in which order and sections."""

    def __init__(self, **properties):
        if "parameters" in properties:
            properties["parameters"] = parameters(properties["parameters"])
        super().__init__(**properties)


Request = override(Request)
__all__.append("Request")


class Item(FrG.Item):
    """A row, whose columns it maps to their values: `item["title"]`, `dict(item)`."""

    def keys(self):
        return self.get_columns()

    def __iter__(self):
        return iter(self.get_columns())

    def __getitem__(self, column):
        try:
            value = self.get_value(column)
        except GLib.Error as error:
            if error.matches(FrG.store_error_quark(), FrG.StoreError.SCHEMA):
                raise KeyError(column) from error
            raise
        return value.get_data_as_bytes().get_data() if isinstance(value, GLib.Variant) else value


Item = override(Item)
__all__.append("Item")


class ListModel(FrG.ListModel):
    """The rows as a sequence."""

    def __contains__(self, item):
        return isinstance(item, FrG.Item) and self.find(item)[0]

    def index(self, item):
        """The position of an item; ValueError if the model has no such item."""
        is_there, position = self.find(item)
        if not is_there:
            raise ValueError("the item is not in the model")
        return position

    def move(self, column, item, before=None):
        return super().move(column, item, before)


ListModel = override(ListModel)
__all__.append("ListModel")
