#include <fetchedresults.hpp>
#include <fetchedresults/qt.hpp>

#include <QApplication>
#include <QHeaderView>
#include <QTableView>
#include <QTextStream>

namespace fr = fetchedresults;

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const bool is_check = application.arguments().contains("--offscreen-check");
    fr::Store store(argc > 1 && !is_check ? argv[1] : ":memory:");
    store.execute_script("CREATE TABLE IF NOT EXISTS tasks (id INTEGER PRIMARY KEY,"
                         " title TEXT, done INT DEFAULT 0)");
    fr::Controller tasks(store, fr::Request("tasks").sort("title"));
    tasks.fetch();

    // Commits of other connections and processes are dispatched in Qt's loop.
    fr::qt::Dispatcher dispatcher(store);
    fr::qt::ListModel model(
        store, tasks,
        {fr::qt::Column("title").title("Task").editable().checkable("done"), "id"});
    QTableView view;
    view.setModel(&model);
    // Otherwise Qt sorts by the first column.
    view.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view.setSortingEnabled(true);
    view.show();
    if (!is_check) {
        return application.exec();
    }

    store.insert("tasks", {{"title", "Paint"}});
    store.insert("tasks", {{"title", "Bake"}});
    view.sortByColumn(1, Qt::DescendingOrder);
    model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole);
    QTextStream out(stdout);
    for (int row = 0; row < model.rowCount(); row++) {
        const bool is_done = model.index(row, 0).data(Qt::CheckStateRole).toInt()
                             == Qt::Checked;
        out << model.index(row, 0).data().toString() << (is_done ? ", done" : "")
            << "\n";
    }
}
