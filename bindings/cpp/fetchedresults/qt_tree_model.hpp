// A list as a tree of two levels, for Qt.
#ifndef FETCHEDRESULTS_QT_TREE_MODEL_HPP
#define FETCHEDRESULTS_QT_TREE_MODEL_HPP

#include "qt_model.hpp"

namespace fetchedresults::qt {

// A list as a tree: its sections, and in each its rows. A flat list has one section, without a
// name. A section shows its title in the first column. An index of a row has an id of its section
// that does not change when the section moves.
class TreeModel : public ItemModel {
  public:
    TreeModel(Store &store, Controller &list, std::vector<Column> columns = {}, ModelOptions options = {},
              QObject *parent = nullptr)
        : ItemModel(store, list, std::move(columns), std::move(options), parent)
    {
    }
    TreeModel(Store &store, Controller &list, Window &window, std::vector<Column> columns = {},
              ModelOptions options = {}, QObject *parent = nullptr)
        : ItemModel(store, list, window, std::move(columns), std::move(options), parent)
    {
    }
    TreeModel(ListRef list, std::vector<Column> columns, ModelOptions options = {}, QObject *parent = nullptr)
        : ItemModel(list, std::move(columns), std::move(options), parent)
    {
    }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        if (!parent.isValid()) {
            return static_cast<int>(picture().counts.size());
        }
        const auto path = path_of(parent);
        const bool is_section = path && path->row < 0 && parent.column() == 0;
        return is_section ? static_cast<int>(picture().counts[static_cast<std::size_t>(path->section)]) : 0;
    }
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override
    {
        if (!hasIndex(row, column, parent)) {
            return {};
        }
        return createIndex(row, column,
                           parent.isValid() ? picture().ids[static_cast<std::size_t>(parent.row())] : section_id);
    }
    QModelIndex parent(const QModelIndex &index) const override
    {
        const auto path = path_of(index);
        return path && path->row >= 0 ? index_at({path->section, -1}) : QModelIndex();
    }
    using QObject::parent;

  protected:
    std::optional<IndexPath> path_of(const QModelIndex &index) const override
    {
        if (!index.isValid()) {
            return std::nullopt;
        }
        if (index.internalId() == section_id) {
            const bool is_there = index.row() < static_cast<int>(picture().counts.size());
            return is_there ? std::optional<IndexPath>(IndexPath(index.row(), -1)) : std::nullopt;
        }
        const std::int64_t section = picture().section_of(index.internalId());
        return section >= 0 ? std::optional<IndexPath>(IndexPath(section, index.row())) : std::nullopt;
    }
    QModelIndex index_at(IndexPath path) const override
    {
        if (path.row < 0) {
            return createIndex(static_cast<int>(path.section), 0, section_id);
        }
        return createIndex(static_cast<int>(path.row), 0, picture().ids[static_cast<std::size_t>(path.section)]);
    }

    End announce(const Step &step) override
    {
        const auto count = static_cast<int>(step.count());
        switch (step.type()) {
        case ChangeType::inserted: {
            const int first = number(step.new_path());
            beginInsertRows(parent_at(step.new_path()), first, first + count - 1);
            return &TreeModel::end_insert;
        }
        case ChangeType::deleted: {
            const int first = number(step.old_path());
            beginRemoveRows(parent_at(step.old_path()), first, first + count - 1);
            return &TreeModel::end_remove;
        }
        case ChangeType::moved: {
            const QModelIndex from = parent_at(step.old_path()), to = parent_at(step.new_path());
            const int first = number(step.old_path()), target = number(step.new_path());
            // Qt counts the target with the rows still in their old place.
            const int before = from == to && target > first ? target + count : target;
            if ((from != to || first != target) && beginMoveRows(from, first, first + count - 1, to, before)) {
                return &TreeModel::end_move;
            }
            break;
        }
        case ChangeType::updated:
            break;
        }
        return &TreeModel::end_nothing;
    }
    void report_content(const Step &step) override
    {
        const int first = number(step.new_path());
        report_data(first, first + step.count() - 1, parent_at(step.new_path()), changed_columns(step));
        for (std::int64_t i = 0; step.is_sections() && i < step.count(); i++) {
            report_roles(first + i);
        }
    }
    void report_section(std::int64_t section) override
    {
        report_title(section);
        report_roles(section);
    }
    void report_rows(std::int64_t section, std::int64_t first, std::int64_t last) override
    {
        report_data(first, last, index_at({section, -1}));
    }
    void report_title(std::int64_t section) override { report_data(section, section, {}); }

    bool takes_drops(const std::optional<IndexPath> &section) const override { return section.has_value(); }
    std::optional<IndexPath> place(const std::vector<IndexPath> &, int row, const QModelIndex &parent) const override
    {
        const auto path = path_of(parent);
        if (!path || path->row >= 0) {
            return path;
        }
        const std::int64_t count = picture().counts[static_cast<std::size_t>(path->section)];
        return row <= count ? std::optional<IndexPath>(IndexPath(path->section, row < 0 ? count : row)) : std::nullopt;
    }

  private:
    // The id of an index of a section; that of an index of a row is its section's.
    static constexpr quintptr section_id = 0;

    // Reports that the section of rows shows something else, which they have in roles.
    void report_roles(std::int64_t section)
    {
        if (const std::int64_t rows = picture().counts[static_cast<std::size_t>(section)]; rows > 0) {
            report_data(0, rows - 1, index_at({section, -1}), section_columns());
        }
    }
    static int number(IndexPath path) { return static_cast<int>(path.row < 0 ? path.section : path.row); }
    QModelIndex parent_at(IndexPath path) const { return path.row < 0 ? QModelIndex() : index_at({path.section, -1}); }
};

} // namespace fetchedresults::qt

#endif
