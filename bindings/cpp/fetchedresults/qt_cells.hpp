// What the cells of a model for Qt show: columns, roles, titles of sections.
#ifndef FETCHEDRESULTS_QT_CELLS_HPP
#define FETCHEDRESULTS_QT_CELLS_HPP

#include "qt_column.hpp"
#include "qt_follower.hpp"
#include "qt_schema.hpp"

namespace fetchedresults::qt {

enum Role {
    section_role = Qt::UserRole, // the value of a row's or section's section
    totals_role,                 // its totals, as a QVariantMap; of a header, the totals of the list
    // Whether a value that the cell shows waits for its change (ModelOptions::submit). A cell in
    // which the role of a column or the object was read shows all columns.
    pending_role,
    first_column_role            // then one role for each column, in any column of the row
};

// A model whose cells show what columns say.
class CellModel : public Follower {
  public:
    const std::vector<Column> &columns() const noexcept { return columns_; }

    int columnCount(const QModelIndex & = {}) const override { return static_cast<int>(columns_.size()); }
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        if (role == totals_role) {
            return totals();
        }
        const bool is_ours = role == Qt::DisplayRole || role == Qt::TextAlignmentRole;
        if (orientation != Qt::Horizontal || !is_ours) {
            return Follower::headerData(section, orientation, role);
        }
        if (section < 0 || section >= columnCount()) {
            return {};
        }
        return role == Qt::DisplayRole ? QVariant(column(section).header()) : alignment(column(section));
    }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override
    {
        const auto path = path_of(index);
        if (!path) {
            return {};
        }
        if (role == section_role || role == totals_role) {
            if (path->row >= 0) {
                note_section(index);
            }
            return role == section_role ? section_value(path->section) : section_totals(path->section);
        }
        if (path->row < 0) {
            return role == Qt::DisplayRole && index.column() == 0 ? title(path->section) : QVariant();
        }
        const Column &shown = column(index.column());
        if (role == Qt::TextAlignmentRole) {
            return alignment(shown);
        }
        const Column *const named = role >= first_column_role && role < first_column_role + columnCount()
                                        ? &column(role - first_column_role)
                                        : nullptr;
        if (named != nullptr) {
            note_whole(index);
        }
        const bool is_text = (role == Qt::DisplayRole && !shown.is_box()) || role == Qt::EditRole;
        const bool is_check = role == Qt::CheckStateRole && !shown.check().empty();
        if (!is_text && !is_check && named == nullptr && role != pending_role) {
            return {};
        }
        const auto item = read(index);
        try {
            if (!item) {
                return {};
            }
            if (role == pending_role) {
                return is_pending(index.column(), *item);
            }
            if (is_check) {
                return is_checked(shown, *item) ? Qt::Checked : Qt::Unchecked;
            }
            return value(named != nullptr ? *named : shown, *item);
        } catch (const Error &) {
            return {};
        }
    }
    QHash<int, QByteArray> roleNames() const override
    {
        is_in_qml_ = true;
        QHash<int, QByteArray> names = Follower::roleNames();
        names[section_role] = "section";
        names[totals_role] = "sectionTotals";
        names[pending_role] = "pending";
        int role = first_column_role;
        for (const Column &each : columns_) {
            // A column whose name is that of another role takes it.
            const QByteArray name = QByteArray::fromStdString(each.name());
            for (const int other : names.keys(name)) {
                names.remove(other);
            }
            names[role++] = name;
        }
        return names;
    }

  protected:
    // declared: the columns of the list's table with their types, by which cells are aligned.
    CellModel(ListRef list, Store *store, std::vector<Column> columns, const DeclaredColumns &declared,
              ModelOptions options, QObject *parent)
        : Follower(list, store, std::move(options), parent), columns_(std::move(columns))
    {
        for (const auto &[name, type] : declared) {
            if (is_numeric(type)) {
                numbers_.insert(to_string(name).toLower());
            }
        }
        if (columns_.empty()) {
            throw Error(FR_MISUSE, "a model needs at least one column");
        }
    }

    // Whether QML reads the model: it alone asks for the names of the roles.
    bool is_in_qml() const noexcept { return is_in_qml_; }
    const Column &column(int number) const { return columns_[static_cast<std::size_t>(number)]; }

    QVariant section_value(std::int64_t number) const
    {
        return of_section(number, [](const Section &section) { return to_variant(section.value()); });
    }

    QVariantMap section_totals(std::int64_t number) const
    {
        const auto place = picture().is_stale ? std::nullopt : picture().follow({number, -1}, [](const Change &) {});
        return place ? to_map([&] { return list().section(place->section).totals(); }) : QVariantMap();
    }

    // A cell changes with the columns that it shows. All values of its row can be read in any cell,
    // by the roles of the columns: a cell in which this has been done changes with the row.
    Columns changed_columns(const Step &step) const override
    {
        const Columns all = {{0, columnCount() - 1}};
        std::uint64_t mask = 0;
        for (std::int64_t i = 0; !step.is_sections() && i < step.count(); i++) {
            mask |= step.change(i).raw().changed_columns;
        }
        const bool is_elsewhere = step.old_path().section != step.new_path().section;
        // All bits are set if it is unknown which columns changed.
        const auto item = mask == 0 || mask == ~std::uint64_t(0) || is_elsewhere ? std::nullopt
                                                                                 : read(index_at(step.new_path()));
        if (!item) {
            return all;
        }
        return columns_with([&](const std::string &name) { return has_changed(*item, name, mask); });
    }
    // The columns whose cells may show one of the columns of the objects for which a function is
    // true.
    template <typename Is> Columns columns_with(Is &&is) const
    {
        Columns found;
        for (int number = 0; number < columnCount(); number++) {
            const Column &shown = column(number);
            const bool is_shown = whole_in().count(number) > 0 || shown.is_function() || is(shown.name())
                                  || (!shown.check().empty() && is(shown.check()));
            if (is_shown && !found.empty() && found.back().second == number - 1) {
                found.back().second = number;
            } else if (is_shown) {
                found.emplace_back(number, number);
            }
        }
        return found;
    }

    // Shared with the edits, which may outlive the model.
    const std::shared_ptr<PendingEdits> &pending() const noexcept { return pending_; }
    void settle() override { pending_->settle(list()); }

  private:
    QVariant value(const Column &shown, const Object &item) const
    {
        const auto entered = shown.is_function() ? std::nullopt : pending_->value(item, shown.name());
        return entered ? *entered : shown.value(item);
    }
    bool is_checked(const Column &shown, const Object &item) const
    {
        const auto entered = pending_->value(item, shown.check());
        return entered ? entered->toDouble() != 0 : shown.is_checked(item);
    }
    bool is_pending(int number, const Object &item) const
    {
        const bool is_whole = whole_in().count(number) > 0;
        const auto has = [&](const Column &shown) {
            return (!shown.is_function() && pending_->value(item, shown.name()))
                   || (!shown.check().empty() && pending_->value(item, shown.check()));
        };
        return is_whole ? std::any_of(columns_.begin(), columns_.end(), has) : has(column(number));
    }
    // Whether a column of an object is among the changed ones: bit 63 is for column 63 and later
    // ones.
    static bool has_changed(const Object &item, const std::string &name, std::uint64_t mask)
    {
        try {
            return (mask >> std::min<std::int64_t>(item.column_index(name), 63)) & 1;
        } catch (const Error &) {
            return true;
        }
    }
    QVariant alignment(const Column &shown) const
    {
        if (shown.alignment()) {
            return QVariant::fromValue(static_cast<int>(*shown.alignment()));
        }
        const bool is_number = !shown.is_function() && !shown.is_box()
                               && numbers_.count(to_string(shown.name()).toLower()) > 0;
        return is_number ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    template <typename Read> QVariant of_section(std::int64_t section, Read &&read) const
    {
        QVariant found;
        if (picture().is_stale) {
            return found;
        }
        try {
            const auto place = picture().follow({section, -1}, [&](const Change &change) {
                const auto name = change.section_name();
                found = name ? QVariant(to_string(*name)) : QVariant();
            });
            return place ? read(list().section(place->section)) : found;
        } catch (const Error &error) {
            note_blank(index_at({section, -1}), error);
            return {};
        }
    }
    QVariant title(std::int64_t number) const
    {
        return of_section(number, [&](const Section &section) {
            if (options().section_title) {
                const auto count = static_cast<int>(picture().counts[static_cast<std::size_t>(number)]);
                return options().section_title(to_variant(section.value()), count, section_totals(number));
            }
            const auto name = section.name();
            return name ? QVariant(to_string(*name)) : QVariant();
        });
    }

    std::shared_ptr<PendingEdits> pending_ = std::make_shared<PendingEdits>();
    std::vector<Column> columns_;
    mutable bool is_in_qml_ = false;
    std::set<QString> numbers_;
};

} // namespace fetchedresults::qt

#endif
