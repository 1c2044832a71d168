// A list without its sections, for Qt.
#ifndef FETCHEDRESULTS_QT_LIST_MODEL_HPP
#define FETCHEDRESULTS_QT_LIST_MODEL_HPP

#include "qt_model.hpp"

namespace fetchedresults::qt {

// A list as one sequence of rows, section after section: a table, if there are several columns.
// When a section moves, its rows move as one run.
class ListModel : public ItemModel {
  public:
    ListModel(Store &store, Controller &list, std::vector<Column> columns = {}, ModelOptions options = {},
              QObject *parent = nullptr)
        : ItemModel(store, list, std::move(columns), std::move(options), parent)
    {
    }
    ListModel(Store &store, Controller &list, Window &window, std::vector<Column> columns = {},
              ModelOptions options = {}, QObject *parent = nullptr)
        : ItemModel(store, list, window, std::move(columns), std::move(options), parent)
    {
    }
    ListModel(ListRef list, std::vector<Column> columns, ModelOptions options = {}, QObject *parent = nullptr)
        : ItemModel(list, std::move(columns), std::move(options), parent)
    {
    }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(picture().total());
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : ItemModel::columnCount();
    }
    bool canFetchMore(const QModelIndex &parent) const override
    {
        // A ListView in QML asks before it has made its rows, and would begin with those that are
        // inserted then (seen in Qt 6, with any model). It asks again when it has read the last
        // row.
        const bool is_early = is_in_qml() && furthest_read() < rowCount() - 1;
        return !is_early && ItemModel::canFetchMore(parent);
    }
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override
    {
        return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
    }
    QModelIndex parent(const QModelIndex &) const override { return {}; }
    using QObject::parent;

  protected:
    std::optional<IndexPath> path_of(const QModelIndex &index) const override
    {
        if (!index.isValid() || index.row() >= picture().total()) {
            return std::nullopt;
        }
        return picture().path_at(index.row());
    }
    QModelIndex index_at(IndexPath path) const override
    {
        return createIndex(static_cast<int>(picture().offset(path.section) + path.row), 0);
    }

    End announce(const Step &step) override
    {
        const auto count = static_cast<int>(rows_of(step));
        if (count == 0) {
            return &ListModel::end_nothing;
        }
        switch (step.type()) {
        case ChangeType::inserted: {
            const int first = first_after(step);
            beginInsertRows({}, first, first + count - 1);
            return &ListModel::end_insert;
        }
        case ChangeType::deleted: {
            const int first = first_before(step);
            beginRemoveRows({}, first, first + count - 1);
            return &ListModel::end_remove;
        }
        case ChangeType::moved: {
            const int first = first_before(step), target = first_after(step);
            // Qt counts the target with the rows still in their old place.
            const int before = target > first ? target + count : target;
            if (first != target && beginMoveRows({}, first, first + count - 1, {}, before)) {
                return &ListModel::end_move;
            }
            break;
        }
        case ChangeType::updated:
            break;
        }
        return &ListModel::end_nothing;
    }
    void report_content(const Step &step) override
    {
        const IndexPath path = step.new_path();
        const std::int64_t start = picture().offset(path.section);
        if (!step.is_sections()) {
            return report_data(start + path.row, start + path.row + step.count() - 1, {}, changed_columns(step));
        }
        if (const std::int64_t count = picture().offset(path.section + step.count()) - start; count > 0) {
            report_data(start, start + count - 1, {}, section_columns());
        }
    }
    void report_section(std::int64_t section) override
    {
        const std::int64_t start = picture().offset(section);
        if (const std::int64_t count = picture().offset(section + 1) - start; count > 0) {
            report_data(start, start + count - 1, {}, section_columns());
        }
    }
    void report_rows(std::int64_t section, std::int64_t first, std::int64_t last) override
    {
        const std::int64_t start = picture().offset(section);
        report_data(start + first, start + last, {});
    }

    bool takes_drops(const std::optional<IndexPath> &) const override { return true; }
    std::optional<IndexPath> place(const std::vector<IndexPath> &rows, int row,
                                   const QModelIndex &parent) const override
    {
        const auto total = static_cast<int>(picture().total());
        row = parent.isValid() ? parent.row() : row < 0 ? total : row;
        if (total == 0 || row > total) {
            return std::nullopt;
        }
        // Between two sections a row stays in its own, or goes to the end of the first one.
        const auto after = row < total ? std::optional<IndexPath>(picture().path_at(row)) : std::nullopt;
        const auto before = row > 0 ? std::optional<IndexPath>(picture().path_at(row - 1)) : std::nullopt;
        if (!before || (after && (after->section == before->section || after->section == rows[0].section))) {
            return after;
        }
        return IndexPath(before->section, before->row + 1);
    }

  private:
    // The number of rows of a step, before it is done.
    std::int64_t rows_of(const Step &step) const
    {
        if (!step.is_sections()) {
            return step.count();
        }
        if (!step.has_old()) {
            return std::accumulate(picture().lifted.begin(), picture().lifted.end(), std::int64_t(0));
        }
        const std::int64_t first = step.old_path().section;
        return picture().offset(first + step.count()) - picture().offset(first);
    }
    // The first row's number before the step, which was not done yet.
    int first_before(const Step &step) const
    {
        const IndexPath from = step.old_path();
        return static_cast<int>(picture().offset(from.section) + std::max<std::int64_t>(from.row, 0));
    }
    // The first row's number after the step, counted without the rows of the step.
    int first_after(const Step &step) const
    {
        const IndexPath from = step.old_path(), to = step.new_path();
        if (!step.has_old()) {
            return static_cast<int>(picture().offset(to.section) + std::max<std::int64_t>(to.row, 0));
        }
        if (step.is_sections()) {
            const bool is_later = to.section > from.section;
            const std::int64_t rows = is_later ? rows_of(step) : 0;
            return static_cast<int>(picture().offset(to.section + (is_later ? step.count() : 0)) - rows);
        }
        const std::int64_t left = from.section < to.section ? step.count() : 0;
        return static_cast<int>(picture().offset(to.section) - left + to.row);
    }
};

} // namespace fetchedresults::qt

#endif
