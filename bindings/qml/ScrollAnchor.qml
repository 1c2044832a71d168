// Keeps the top row of a ListView in its place where the view does not do it by itself:
// when a row is inserted directly above it, and when the rows get another order. A view
// at its beginning stays there.
import QtQuick
import QtQml.Models

Item {
    id: anchor

    required property ListView view

    // Where the top row begins in the view.
    property real offset
    property bool isChanging: false
    // Whether the view does not keep the row by itself.
    property bool isNeeded

    // Notes the top row before the first step of a change, while the view shows what
    // the model has.
    function begin() {
        if (isChanging) {
            return
        }
        const row = view.indexAt(view.contentX, view.contentY)
        isChanging = true
        isNeeded = false
        if (row < 0 || view.atYBeginning) {
            top.clearCurrentIndex()
        } else {
            offset = view.itemAtIndex(row).y - view.contentY
            top.setCurrentIndex(view.model.index(row, 0), ItemSelectionModel.NoUpdate)
        }
        Qt.callLater(end)
    }

    function end() {
        isChanging = false
        if (isNeeded && top.currentIndex.valid) {
            view.forceLayout()
            view.positionViewAtIndex(top.currentIndex.row, ListView.Beginning)
            view.contentY -= offset
        }
    }

    function leave(first, last) {
        begin()
        if (first <= top.currentIndex.row && top.currentIndex.row <= last) {
            top.clearCurrentIndex()
        }
    }

    // It follows the row while others are inserted and sorted.
    ItemSelectionModel {
        id: top
        model: anchor.view.model
    }

    Connections {
        target: anchor.view.model
        function onRowsAboutToBeInserted(parent, first) {
            anchor.begin()
            anchor.isNeeded = anchor.isNeeded || first === top.currentIndex.row
        }
        function onRowsAboutToBeRemoved(parent, first, last) {
            anchor.leave(first, last)
        }
        function onRowsAboutToBeMoved(parent, first, last) {
            anchor.leave(first, last)
        }
        function onLayoutAboutToBeChanged() {
            anchor.begin()
            anchor.isNeeded = true
        }
    }
}
