#include <fetchedresults.hpp>
#include <fetchedresults/qt.hpp>

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTextStream>
#include <QVBoxLayout>

namespace fr = fetchedresults;

constexpr char schema[] =
    "CREATE TABLE IF NOT EXISTS tasks ("
    " id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''),"
    " done INTEGER NOT NULL DEFAULT 0, area TEXT, due INTEGER, position REAL)";

int show_tasks(QApplication &application, const char *path, bool is_check)
{
    fr::Store store(path);
    store.execute_script(schema);
    fr::Controller tasks(store, fr::Request("tasks").sort("title"));
    tasks.fetch();

    // Commits of other connections and processes are dispatched in Qt's loop.
    fr::qt::Dispatcher dispatcher(store);
    fr::qt::ListModel model(
        store, tasks,
        {fr::qt::Column("title").title("Task").editable().checkable("done"), "id"});
    QTableView view;
    view.setModel(&model);
    view.setWindowTitle("Tasks");
    view.resize(480, 400);
    // Titles have all the room that there is.
    view.horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    // Otherwise Qt sorts by the first column.
    view.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view.setSortingEnabled(true);

    QLabel empty("No tasks yet. Whatever a program\nadds to the file is shown here.");
    QVBoxLayout layout(view.viewport());
    layout.addWidget(&empty, 0, Qt::AlignCenter);
    const auto explain = [&] { empty.setVisible(model.rowCount() == 0); };
    QObject::connect(&model, &QAbstractItemModel::rowsInserted, &empty, explain);
    QObject::connect(&model, &QAbstractItemModel::rowsRemoved, &empty, explain);
    QObject::connect(&model, &QAbstractItemModel::modelReset, &empty, explain);
    explain();
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
    return 0;
}

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const bool is_check = application.arguments().contains("--offscreen-check");
    try {
        const char *path = argc > 1 && !is_check ? argv[1] : ":memory:";
        return show_tasks(application, path, is_check);
    } catch (const fr::Error &error) {
        QTextStream(stderr) << "qt_table: " << error.what() << "\n";
        return 1;
    }
}
