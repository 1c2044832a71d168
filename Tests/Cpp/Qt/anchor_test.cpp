// Views that stay where they are while rows above change.
#include "qt_test.hpp"

#include <QApplication>
#include <QListView>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeView>

#include <fetchedresults/qt_scroll_anchor.hpp>

using namespace fetchedresults;

// Before: a view of 200 rows is scrolled to row 100. Change: rows above are inserted, removed and
// moved, and the top row itself. Expected: the same rows are in the same places of the view.
TEST(a_view_stays_where_it_is_while_rows_above_change)
{
    test::watch_messages();
    QTemporaryDir folder;
    // Qt 5 logs that there is none.
    qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int arguments = 1;
    char name[] = "tests";
    char *values[] = {name, nullptr};
    QApplication application(arguments, values);
    QTableView table;
    QListView plain;
    QTreeView tree;
    for (QAbstractItemView *view : {static_cast<QAbstractItemView *>(&table), static_cast<QAbstractItemView *>(&plain),
                                    static_cast<QAbstractItemView *>(&tree)}) {
        for (const auto mode : {QAbstractItemView::ScrollPerItem, QAbstractItemView::ScrollPerPixel}) {
            Store store(":memory:");
            store.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, rank REAL)");
            store.execute("WITH RECURSIVE counted(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 200)"
                          " INSERT INTO tasks SELECT i, i FROM counted");
            Controller list(store, Request("tasks").sort("rank"));
            list.fetch();
            qt::ListModel model(store, list, {"id"});
            view->setVerticalScrollMode(mode);
            view->setModel(&model);
            view->resize(200, 300);
            view->show();
            auto *const anchor = new qt::ScrollAnchor(view);
            const auto top = [&] {
                QCoreApplication::processEvents();
                const QModelIndex index = view->indexAt(QPoint(0, 0));
                return std::pair(index.data().toInt(), view->visualRect(index).top());
            };
            QCoreApplication::processEvents();
            view->scrollTo(model.index(100, 0), QAbstractItemView::PositionAtTop);
            if (mode == QAbstractItemView::ScrollPerPixel) {
                view->verticalScrollBar()->setValue(view->verticalScrollBar()->value() + 5);
            }
            const auto before = top();
            CHECK_EQUAL(before.first, 101);
            store.execute("INSERT INTO tasks (rank) VALUES (0.1), (50.5), (50.6), (150.5)");
            CHECK(top() == before);
            store.execute("DELETE FROM tasks WHERE id IN (10, 20, 30, 150)");
            CHECK(top() == before);
            // One row above the view moves below it.
            store.update("tasks", {40}, {{"rank", 180.5}});
            CHECK(top() == before);
            // A removal of the current row makes the next one current, to which Qt scrolls.
            const int place = view->verticalScrollBar()->value();
            view->setCurrentIndex(model.index_of({60}));
            top();
            view->verticalScrollBar()->setValue(place);
            CHECK(top() == before);
            store.remove("tasks", {60});
            CHECK(top() == before);
            // The top row leaves: the next row stays where it was.
            const int second = view->visualRect(model.index_of({102})).top();
            store.update("tasks", {101}, {{"rank", 0.2}});
            CHECK(top().second <= 0);
            CHECK_EQUAL(view->visualRect(model.index_of({102})).top(), second);
            store.remove("tasks", {102});
            store.execute("INSERT INTO tasks (rank) VALUES (7.5)");
            top();
            CHECK_EQUAL(view->visualRect(model.index_of({103})).top(), second);
            // At the beginning the view shows new rows.
            view->scrollToTop();
            store.execute("INSERT INTO tasks VALUES (999, 0)");
            CHECK_EQUAL(top().first, 999);
            delete anchor;
            view->setModel(nullptr);
        }
    }
}
