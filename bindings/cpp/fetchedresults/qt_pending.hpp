// Edits that the program sends elsewhere, and that a model shows until they are in the list.
#ifndef FETCHEDRESULTS_QT_PENDING_HPP
#define FETCHEDRESULTS_QT_PENDING_HPP

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "list.hpp"
#include "object.hpp"
#include "qt_value.hpp"

namespace fetchedresults::qt {

// A value that the user has entered, on its way to the place that the list comes from. The cell
// shows the value, and pending_role is true, until a change of the column arrives with the list,
// the row leaves the list, or the program calls fail or finish. Both belong to the thread of the
// model. They do nothing when one was called before, and after the model is closed or gone. Copies
// stand for the same edit.
class Edit {
  public:
    // message: NULL if nothing has failed.
    using End = std::function<void(const Edit &, const std::string *message)>;

    Edit(Object object, std::string column, QVariant value, End end)
        : object_(std::move(object)), column_(std::move(column)), value_(std::move(value)),
          end_(std::make_shared<End>(std::move(end)))
    {
    }

    // The row as the list showed it, with its entity and identity.
    const Object &object() const noexcept { return object_; }
    const std::string &column() const noexcept { return column_; }
    // What is to be written: a number, a QString, a QByteArray, or an invalid QVariant for NULL.
    const QVariant &value() const noexcept { return value_; }

    // Reports that the value was refused: the cell shows the value of the list again, and on_error
    // receives the message.
    void fail(const std::string &message) const { report(&message); }
    // Reports that no change will arrive, for example because the other place has the value
    // already: the cell shows the value of the list again.
    void finish() const { report(nullptr); }

    bool is_same(const Edit &other) const noexcept { return end_ == other.end_; }

  private:
    void report(const std::string *message) const
    {
        if (const End end = std::exchange(*end_, nullptr)) {
            end(*this, message);
        }
    }

    Object object_;
    std::string column_;
    QVariant value_;
    std::shared_ptr<End> end_;
};

// The edits of a model that are under way.
class PendingEdits {
  public:
    void add(const Edit &edit)
    {
        const auto cell = find(edit.object(), edit.column());
        if (cell != cells_.end()) {
            cell->edits.push_back(edit);
        } else {
            cells_.push_back({value_of(edit.object(), edit.column()), {edit}});
        }
    }
    // Removes an edit, unless the list has answered it.
    void remove(const Edit &edit)
    {
        const auto cell = find(edit.object(), edit.column());
        if (cell == cells_.end()) {
            return;
        }
        auto &edits = cell->edits;
        edits.erase(std::remove_if(edits.begin(), edits.end(), [&](const Edit &each) { return each.is_same(edit); }),
                    edits.end());
        if (edits.empty()) {
            cells_.erase(cell);
        }
    }
    // The value that was entered last; nothing if the column was not edited.
    std::optional<QVariant> value(const Object &object, const std::string &column) const
    {
        const auto cell = const_cast<PendingEdits *>(this)->find(object, column);
        return cell == cells_.end() ? std::nullopt : std::optional(cell->edits.back().value());
    }
    // Removes the edits that the list has an answer to: their value, or another one.
    void settle(ListRef list)
    {
        cells_.erase(std::remove_if(cells_.begin(), cells_.end(), [&](Cell &cell) { return is_answered(cell, list); }),
                     cells_.end());
    }

    // The value that an object has; invalid if it has no such column.
    static QVariant value_of(const Object &object, const std::string &column)
    {
        try {
            return to_variant(object[std::string_view(column)]);
        } catch (const Error &) {
            return {};
        }
    }

  private:
    struct Cell {
        QVariant value; // of the list
        std::vector<Edit> edits;
    };

    std::vector<Cell>::iterator find(const Object &object, const std::string &column)
    {
        return std::find_if(cells_.begin(), cells_.end(), [&](const Cell &cell) {
            const Edit &edit = cell.edits.front();
            return to_string(edit.column()).compare(to_string(column), Qt::CaseInsensitive) == 0
                   && is_same_row(edit.object(), object);
        });
    }
    static bool is_same_row(const Object &one, const Object &other)
    {
        const std::vector<Value> identity = one.identity(), others = other.identity();
        const auto is_same = [](const Value &a, const Value &b) { return to_variant(a) == to_variant(b); };
        return one.entity() == other.entity()
               && std::equal(identity.begin(), identity.end(), others.begin(), others.end(), is_same);
    }
    static bool is_answered(Cell &cell, ListRef list)
    {
        try {
            const auto place = list.index_path_of(cell.edits.front().object());
            if (!place) {
                return true;
            }
            const Object object = list[*place];
            const QVariant value = to_variant(object[std::string_view(cell.edits.front().column())]);
            if (value == cell.value) {
                return false;
            }
            cell.value = value;
        } catch (const Error &error) {
            // A row that can't be read now is compared after the next change. A column that the
            // list does not show has no answer.
            return error.status() != FR_GONE;
        }
        // An answer to an earlier edit leaves the later ones. Where the value is none of theirs,
        // something else has decided.
        const auto answered = std::find_if(cell.edits.begin(), cell.edits.end(),
                                           [&](const Edit &edit) { return edit.value() == cell.value; });
        if (answered == cell.edits.end() || answered + 1 == cell.edits.end()) {
            return true;
        }
        cell.edits.erase(cell.edits.begin(), answered + 1);
        return false;
    }

    std::vector<Cell> cells_;
};

} // namespace fetchedresults::qt

#endif
