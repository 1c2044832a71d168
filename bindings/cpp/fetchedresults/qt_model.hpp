// Rows of a model for Qt that the user drags to another place: a position column is written.
#ifndef FETCHEDRESULTS_QT_MODEL_HPP
#define FETCHEDRESULTS_QT_MODEL_HPP

#include <QMimeData>

#include "qt_editing.hpp"
#include "qt_positions.hpp"

namespace fetchedresults::qt {

// A model that shows a list. The store and the list have to outlive it, or its call of close. It
// needs no moc.
//
// When a transaction changed the list, the model goes to the new state step by step, each between
// the signals that Qt has for it. Between two steps it shows each row with its present values, and
// one that is about to be removed with its last values. What can't be read has no data.
class ItemModel : public EditModel {
  public:
    using EditModel::EditModel;

    Qt::ItemFlags flags(const QModelIndex &index) const override
    {
        Qt::ItemFlags flags = EditModel::flags(index);
        if (!orders_rows()) {
            return flags;
        }
        const auto path = path_of(index);
        if (path && path->row >= 0) {
            return flags | Qt::ItemIsDragEnabled;
        }
        return takes_drops(path) ? flags | Qt::ItemIsDropEnabled : flags;
    }
    Qt::DropActions supportedDragActions() const override
    {
        return has_positions() ? Qt::MoveAction : EditModel::supportedDragActions();
    }
    Qt::DropActions supportedDropActions() const override
    {
        return has_positions() ? Qt::MoveAction : EditModel::supportedDropActions();
    }
    QStringList mimeTypes() const override { return has_positions() ? QStringList(type()) : EditModel::mimeTypes(); }
    QMimeData *mimeData(const QModelIndexList &indexes) const override
    {
        if (!has_positions()) {
            return EditModel::mimeData(indexes);
        }
        std::map<IndexPath, QPersistentModelIndex> rows;
        for (const QModelIndex &index : indexes) {
            if (const auto path = path_of(index); path && path->row >= 0) {
                rows.emplace(*path, QPersistentModelIndex(index));
            }
        }
        static std::uint64_t drags = 0;
        dragged_.clear();
        dragged_name_ = QByteArray::number(static_cast<qulonglong>(++drags));
        for (const auto &row : rows) {
            dragged_.push_back(row.second);
        }
        auto *const data = new QMimeData;
        data->setData(type(), dragged_name_);
        return data;
    }
    bool canDropMimeData(const QMimeData *data, Qt::DropAction action, int row, int,
                         const QModelIndex &parent) const override
    {
        return action == Qt::MoveAction && target(dragged_rows(data), row, parent);
    }
    // Moves the rows that are dragged to a place between rows: writes the positions of as few rows
    // as possible, and the column that the sections are made of, in one transaction. False if that
    // is not possible, or fails, after on_error.
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int, const QModelIndex &parent) override
    {
        return action == Qt::MoveAction && move(dragged_rows(data), row, parent);
    }
    bool moveRows(const QModelIndex &from, int first, int count, const QModelIndex &to, int row) override
    {
        std::vector<IndexPath> rows;
        for (int i = 0; i < count; i++) {
            if (const auto path = path_of(index(first + i, 0, from)); path && path->row >= 0) {
                rows.push_back(*path);
            }
        }
        return count > 0 && rows.size() == static_cast<std::size_t>(count) && move(rows, row, to);
    }

  protected:
    // Whether rows can be dropped among those of a section, or of the root.
    virtual bool takes_drops(const std::optional<IndexPath> &section) const = 0;
    // The section and the row in it before which rows are dropped; nothing if they can't be.
    virtual std::optional<IndexPath> place(const std::vector<IndexPath> &rows, int row,
                                           const QModelIndex &parent) const = 0;

  private:
    static QString type() { return QStringLiteral("application/x-fetchedresults-rows"); }
    // Around the rows of a window there are more, whose positions it does not show.
    bool has_positions() const
    {
        return controller() != nullptr && list().handle() == controller()->handle() && !options().position.empty();
    }
    // The order of the rows, if it is that of their positions.
    std::optional<Order> position_order() const
    {
        try {
            if (has_positions()) {
                const Request request = controller()->request();
                const bool is_select = request.info().select != nullptr;
                const std::vector<Order> orders = is_select ? std::vector<Order>() : orders_of(request);
                if (!orders.empty()
                    && to_string(orders[0].key_path).toLower() == to_string(options().position).toLower()) {
                    return orders[0];
                }
            }
        } catch (const Error &) {
            // The list is closed.
        }
        return std::nullopt;
    }
    bool orders_rows() const { return position_order().has_value(); }
    // The column of a row that decides about its section; "" if it is none of its own.
    std::string section_column() const
    {
        const auto path = controller()->section_key_path();
        return path && path->find('.') == std::string_view::npos ? std::string(*path) : std::string();
    }

    std::vector<IndexPath> dragged_rows(const QMimeData *data) const
    {
        std::vector<IndexPath> rows;
        if (data != nullptr && !dragged_.empty() && data->data(type()) == dragged_name_) {
            for (const QPersistentModelIndex &index : dragged_) {
                if (const auto path = path_of(index)) {
                    rows.push_back(*path);
                }
            }
        }
        std::sort(rows.begin(), rows.end());
        return rows;
    }
    std::optional<IndexPath> target(const std::vector<IndexPath> &rows, int row, const QModelIndex &parent) const
    {
        const Picture &shown = picture();
        if (rows.empty() || shown.is_stale || shown.relocation || !shown.ahead.empty() || !orders_rows()) {
            return std::nullopt;
        }
        const auto found = place(rows, row, parent);
        const auto is_elsewhere = [&](IndexPath path) { return path.section != found->section; };
        if (found && section_column().empty() && std::any_of(rows.begin(), rows.end(), is_elsewhere)) {
            return std::nullopt;
        }
        return found;
    }
    bool move(const std::vector<IndexPath> &rows, int row, const QModelIndex &parent)
    {
        const auto to = target(rows, row, parent);
        return to && attempt([&] { return write_places(rows, *to); });
    }
    bool write_places(const std::vector<IndexPath> &rows, IndexPath to)
    {
        std::vector<std::pair<Object, QVariantMap>> changes;
        const std::map<IndexPath, double> positions = positions_for(rows, to);
        std::set<IndexPath> written(rows.begin(), rows.end());
        for (const auto &each : positions) {
            written.insert(each.first);
        }
        for (const IndexPath path : written) {
            QVariantMap values;
            if (const auto position = positions.find(path); position != positions.end()) {
                const auto whole = static_cast<qlonglong>(position->second);
                const bool is_whole = static_cast<double>(whole) == position->second;
                values[to_string(options().position)] = is_whole ? QVariant(whole) : QVariant(position->second);
            }
            if (path.section != to.section) {
                values[to_string(section_column())] = section_value(to.section);
            }
            if (!values.isEmpty()) {
                changes.emplace_back(list()[path], values);
            }
        }
        if (!changes.empty()) {
            bool is_taken = true;
            const auto write_all = [&] {
                for (const auto &[item, values] : changes) {
                    is_taken = write(item, values) && is_taken;
                }
            };
            with_short_wait([&] {
                options().submit ? write_all() : store()->transaction(write_all);
                return true;
            });
            return is_taken;
        }
        return true;
    }
    // The positions to write so that rows stand before another one.
    std::map<IndexPath, double> positions_for(const std::vector<IndexPath> &rows, IndexPath to) const
    {
        std::vector<IndexPath> paths;
        const std::int64_t count = picture().counts[static_cast<std::size_t>(to.section)];
        for (std::int64_t row = 0; row <= count; row++) {
            if (row == to.row) {
                paths.insert(paths.end(), rows.begin(), rows.end());
            }
            if (row < count && !std::binary_search(rows.begin(), rows.end(), IndexPath(to.section, row))) {
                paths.emplace_back(to.section, row);
            }
        }
        if (position_order()->flags & FR_DESCENDING) {
            std::reverse(paths.begin(), paths.end());
        }
        std::vector<std::optional<double>> present;
        for (const IndexPath path : paths) {
            const Object item = list()[path];
            const Value value = item[std::string_view(options().position)];
            const bool is_number = value.type() == ValueType::integer || value.type() == ValueType::real;
            // Rows of other sections are written anyway.
            present.push_back(is_number && path.section == to.section ? std::optional<double>(value.real())
                                                                      : std::nullopt);
        }
        std::map<IndexPath, double> found;
        for (const auto &[index, position] : new_positions(present)) {
            found[paths[index]] = position;
        }
        return found;
    }

    // The rows that are dragged, and what their data in a QMimeData is.
    mutable std::vector<QPersistentModelIndex> dragged_;
    mutable QByteArray dragged_name_;
};

} // namespace fetchedresults::qt

#endif
