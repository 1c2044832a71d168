// What the tests of the models for Qt share.
#ifndef QT_TEST_HPP
#define QT_TEST_HPP

#include "test.hpp"

#include <fetchedresults/qt.hpp>

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QPersistentModelIndex>

#include <memory>

namespace test {

// Makes what Qt logs, its testers above all, faults of the test that runs.
inline void watch_messages()
{
    qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext &, const QString &text) { fault("Qt", 0, text.toStdString()); });
}

// The first column of all rows: "a b c", or of a tree "Work(a b) Home(c)".
inline std::string rows(const QAbstractItemModel &model, const QModelIndex &parent = {})
{
    std::string text;
    for (int row = 0; row < model.rowCount(parent); row++) {
        const QModelIndex index = model.index(row, 0, parent);
        text += (row > 0 ? " " : "") + index.data(Qt::EditRole).toString().toStdString();
        if (!(model.flags(index) & Qt::ItemNeverHasChildren)) {
            text += index.data().toString().toStdString() + "(" + rows(model, index) + ")";
        }
    }
    return text;
}

// A copy of what a model shows, cell by cell, updated by its signals alone, under Qt's own checks
// of a model. It notes which signals came.
class Mirror : public QObject {
  public:
    // reads_roles: whether it reads all columns by their roles in the first one, as QML does.
    explicit Mirror(fetchedresults::qt::ItemModel &model, bool reads_roles = false)
        : model_(model), reads_roles_(reads_roles),
          tester_(&model, QAbstractItemModelTester::FailureReportingMode::Warning), header_(header())
    {
        read();
        using Model = QAbstractItemModel;
        connect(&model, &Model::rowsInserted, this, [this](const QModelIndex &parent, int first, int last) {
            note("insert", first, last);
            std::vector<Node> added;
            for (int row = first; row <= last; row++) {
                added.push_back(node(model_.index(row, 0, parent)));
            }
            auto &nodes = children(parent);
            nodes.insert(nodes.begin() + first, added.begin(), added.end());
        });
        connect(&model, &Model::rowsRemoved, this, [this](const QModelIndex &parent, int first, int last) {
            note("remove", first, last);
            auto &nodes = children(parent);
            nodes.erase(nodes.begin() + first, nodes.begin() + last + 1);
        });
        connect(&model, &Model::rowsMoved, this,
                [this](const QModelIndex &from, int first, int last, const QModelIndex &to, int row) {
                    note("move", first, last);
                    auto &source = children(from);
                    const std::vector<Node> moved(source.begin() + first, source.begin() + last + 1);
                    source.erase(source.begin() + first, source.begin() + last + 1);
                    auto &target = children(to);
                    row -= from == to && row > last ? last + 1 - first : 0;
                    target.insert(target.begin() + row, moved.begin(), moved.end());
                });
        connect(&model, &Model::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
            note("data", first.row(), last.row());
            if (first.column() > 0 || last.column() < model_.columnCount() - 1) {
                seen_ += "in " + std::to_string(first.column()) + "-" + std::to_string(last.column()) + " ";
            }
            for (int row = first.row(); row <= last.row(); row++) {
                Node &node = children(first.parent())[static_cast<std::size_t>(row)];
                for (int column = first.column(); column <= last.column(); column++) {
                    node.shown[static_cast<std::size_t>(column)] = shown(model_.index(row, column, first.parent()));
                }
            }
        });
        connect(&model, &Model::headerDataChanged, this, [this] {
            seen_ += "header ";
            header_ = header();
        });
        connect(&model, &Model::modelReset, this, [this] {
            seen_ += "reset ";
            read();
        });
        connect(&model, &Model::layoutChanged, this, [this] {
            seen_ += "layout ";
            read();
        });
    }

    // What was reported, against what the model shows. Returns the signals since the last call.
    std::string check()
    {
        CHECK_EQUAL(text(nodes_), text(node({}).children));
        CHECK_EQUAL(header_, header());
        return std::exchange(seen_, std::string());
    }

  private:
    static std::string json(const QVariant &value)
    {
        return QJsonDocument::fromVariant(value).toJson(QJsonDocument::Compact).toStdString();
    }
    // The totals of the list.
    std::string header() const { return json(model_.headerData(0, Qt::Horizontal, fetchedresults::qt::totals_role)); }

    struct Node {
        std::vector<std::string> shown;
        std::vector<Node> children;
    };

    // What a cell shows.
    std::string shown(const QModelIndex &cell) const
    {
        using namespace fetchedresults::qt;
        std::string text;
        for (const int role : {int(Qt::DisplayRole), int(Qt::EditRole), int(Qt::CheckStateRole), int(section_role)}) {
            text += cell.data(role).toString().toStdString() + "/";
        }
        text += json(cell.data(totals_role)) + "/";
        for (int column = 0; reads_roles_ && cell.column() == 0 && column < model_.columnCount(); column++) {
            text += cell.data(first_column_role + column).toString().toStdString() + "/";
        }
        return text + "|";
    }
    Node node(const QModelIndex &index) const
    {
        Node made;
        for (int column = 0; index.isValid() && column < model_.columnCount(index.parent()); column++) {
            made.shown.push_back(shown(index.siblingAtColumn(column)));
        }
        for (int row = 0; row < model_.rowCount(index); row++) {
            made.children.push_back(node(model_.index(row, 0, index)));
        }
        return made;
    }
    void read() { nodes_ = node({}).children; }
    std::vector<Node> &children(const QModelIndex &parent)
    {
        return parent.isValid() ? children(parent.parent())[static_cast<std::size_t>(parent.row())].children : nodes_;
    }
    static std::string text(const std::vector<Node> &nodes)
    {
        std::string joined;
        for (const Node &each : nodes) {
            for (const std::string &cell : each.shown) {
                joined += cell;
            }
            joined += "(" + text(each.children) + ") ";
        }
        return joined;
    }
    void note(const char *what, int first, int last)
    {
        seen_ += std::string(what) + " " + std::to_string(first) + "-" + std::to_string(last) + " ";
    }

    fetchedresults::qt::ItemModel &model_;
    bool reads_roles_;
    QAbstractItemModelTester tester_;
    std::string header_;
    std::vector<Node> nodes_;
    std::string seen_;
};

} // namespace test

#endif
