// What the models for Qt have in common: they follow a list, and their cells show what columns say.
#ifndef FETCHEDRESULTS_QT_MODEL_HPP
#define FETCHEDRESULTS_QT_MODEL_HPP

#include <QAbstractItemModel>

#include "qt_column.hpp"
#include "qt_picture.hpp"
#include "qt_round.hpp"
#include "qt_schema.hpp"

namespace fetchedresults::qt {

enum Role {
    section_role = Qt::UserRole, // the value of a row's or section's section
    first_column_role            // then one role for each column, in any column of the row
};

// How a model is made. Members may be left out.
struct ModelOptions {
    // What a section shows, of its value and its number of rows; its name if not set.
    std::function<QVariant(const QVariant &value, int count)> section_title{};
    // How many steps of a change set are announced one by one. If there are more, the model is
    // reset, or if only rows inside their sections moved, its layout changes. Negative: all are.
    int reload_threshold = 1000;
    // Receives what failed that the user did: an edit, a check, a sort.
    std::function<void(const Error &)> on_error{};
};

// A model that shows a list. The store and the list have to outlive it, or its call of close. It
// needs no moc.
//
// When a transaction changed the list, the model goes to the new state step by step, each between
// the signals that Qt has for it. Between two steps it shows each row with its present values, and
// one that is about to be removed with its last values. What can't be read has no data.
class ItemModel : public QAbstractItemModel, private Player {
  public:
    // A model of a controller or section map, whose cells can be edited, and which can be sorted.
    // columns: those of the request if there are none.
    ItemModel(Store &store, Controller &list, std::vector<Column> columns, ModelOptions options, QObject *parent)
        : QAbstractItemModel(parent), list_(list.handle()), store_(&store), controller_(&list),
          columns_(std::move(columns)), options_(std::move(options))
    {
        const Request request = list.request();
        const auto declared = declared_columns(store, request);
        if (columns_.empty()) {
            for (const std::string &name : named_columns(request)) {
                columns_.emplace_back(name);
            }
        }
        if (columns_.empty()) {
            for (const auto &column : declared) {
                columns_.emplace_back(column.first);
            }
        }
        for (const auto &[name, type] : declared) {
            if (is_numeric(type)) {
                numbers_.insert(to_string(name).toLower());
            }
        }
        begin();
    }
    // A model of any list, such as a collection, which shows it alone.
    ItemModel(ListRef list, std::vector<Column> columns, ModelOptions options, QObject *parent)
        : QAbstractItemModel(parent), list_(list), columns_(std::move(columns)), options_(std::move(options))
    {
        begin();
    }

    const std::vector<Column> &columns() const noexcept { return columns_; }
    // Shows the present state of the list: after a fetch, which notifies nobody. A model reset.
    void reload()
    {
        beginResetModel();
        picture_.reset(counts());
        endResetModel();
    }
    // Shows nothing any more, and stops following the list.
    void close()
    {
        watcher_.reset();
        reload();
    }
    // Where the row with an identity is shown, in the first column; invalid if it is not.
    QModelIndex index_of(const Values &identity) const
    {
        try {
            if (const auto place = list_.index_path_of(identity); place && !picture_.is_stale) {
                const auto shown = picture_.back(*place);
                return shown ? index_at(*shown) : QModelIndex();
            }
        } catch (const Error &) {
        }
        return {};
    }
    // The object of a row; nothing if it can't be read, or for a section.
    std::optional<Object> object(const QModelIndex &index) const
    {
        const auto path = path_of(index);
        if (!path || path->row < 0 || picture_.is_stale) {
            return std::nullopt;
        }
        try {
            std::optional<Object> gone;
            const auto place = picture_.follow(*path, [&](const Change &change) { gone = change.object(); });
            return place ? std::optional<Object>(list_[*place]) : gone;
        } catch (const Error &) {
            return std::nullopt;
        }
    }

    int columnCount(const QModelIndex & = {}) const override { return static_cast<int>(columns_.size()); }
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override
    {
        const bool is_ours = role == Qt::DisplayRole || role == Qt::TextAlignmentRole;
        if (orientation != Qt::Horizontal || !is_ours) {
            return QAbstractItemModel::headerData(section, orientation, role);
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
        if (role == section_role) {
            return section_value(path->section);
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
        const bool is_text = (role == Qt::DisplayRole && !shown.is_box()) || role == Qt::EditRole;
        const bool is_check = role == Qt::CheckStateRole && !shown.check().empty();
        if (!is_text && !is_check && named == nullptr) {
            return {};
        }
        const auto item = object(index);
        try {
            if (!item) {
                return {};
            }
            if (is_check) {
                return shown.is_checked(*item) ? Qt::Checked : Qt::Unchecked;
            }
            return (named != nullptr ? *named : shown).value(*item);
        } catch (const Error &) {
            return {};
        }
    }
    QHash<int, QByteArray> roleNames() const override
    {
        QHash<int, QByteArray> names = QAbstractItemModel::roleNames();
        names[section_role] = "section";
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

    Qt::ItemFlags flags(const QModelIndex &index) const override
    {
        Qt::ItemFlags flags = QAbstractItemModel::flags(index);
        const auto path = path_of(index);
        if (!path || path->row < 0) {
            return flags;
        }
        const Column &shown = column(index.column());
        flags |= Qt::ItemNeverHasChildren;
        flags.setFlag(Qt::ItemIsEditable, shown.is_editable() && (store_ != nullptr || shown.edit()));
        flags.setFlag(Qt::ItemIsUserCheckable, !shown.check().empty() && store_ != nullptr);
        return flags;
    }
    // Writes the user's input, a click on a check box, or what QML sets for the role of a column.
    // False if that fails, after on_error.
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override
    {
        const auto item = object(index);
        if (!item) {
            return false;
        }
        int number = index.column();
        if (role >= first_column_role && role < first_column_role + columnCount()) {
            number = role - first_column_role;
        } else if (role != Qt::EditRole && role != Qt::CheckStateRole) {
            return false;
        }
        const Column &shown = column(number);
        return attempt([&] {
            if (role == Qt::CheckStateRole || (shown.is_box() && !shown.is_editable())) {
                return !shown.check().empty() && write(*item, shown.check(), value.toInt() != 0 ? 1 : 0);
            }
            if (!shown.is_editable()) {
                return false;
            }
            return shown.edit() ? shown.edit()(*item, value) : write(*item, shown.name(), value);
        });
    }
    // A view that has moved rows elsewhere, and overwrites what they left, sets null values alone:
    // that does nothing.
    bool setItemData(const QModelIndex &index, const QMap<int, QVariant> &roles) override
    {
        const bool is_empty = std::all_of(roles.begin(), roles.end(),
                                          [](const QVariant &value) { return value.isNull(); });
        return !is_empty && QAbstractItemModel::setItemData(index, roles);
    }

    // Sorts the list by a column, and rows that are equal there as the program's request does; with
    // column -1 by the latter alone. Does nothing for a column without an order, a whole SELECT,
    // and a list that is no controller.
    void sort(int number, Qt::SortOrder order = Qt::AscendingOrder) override
    {
        const std::string key_path = number >= 0 && number < columnCount() ? column(number).order() : "";
        if (controller_ != nullptr && (number < 0 || !key_path.empty())) {
            attempt([&] { return sort_by(key_path, order); });
        }
    }

  protected:
    // The place of an index in the picture, a section's with row -1; nothing if it is not valid
    // there.
    virtual std::optional<IndexPath> path_of(const QModelIndex &index) const = 0;
    virtual QModelIndex index_at(IndexPath path) const = 0;
    using End = void (ItemModel::*)();
    // Announces a step to Qt. Returns what has to be called after it was done.
    virtual End announce(const Step &step) = 0;
    virtual void report_content(const Step &step) = 0;
    virtual void report_rows(std::int64_t section, std::int64_t first, std::int64_t last) = 0;
    virtual void report_title(std::int64_t) {}

    void end_insert() { endInsertRows(); }
    void end_remove() { endRemoveRows(); }
    void end_move() { endMoveRows(); }
    void end_nothing() {}
    void report_data(std::int64_t first, std::int64_t last, const QModelIndex &parent)
    {
        emit dataChanged(index(static_cast<int>(first), 0, parent),
                         index(static_cast<int>(last), columnCount(parent) - 1, parent));
    }
    const Picture &picture() const noexcept { return picture_; }

  private:
    void begin()
    {
        if (columns_.empty()) {
            throw Error(FR_MISUSE, "a model needs at least one column");
        }
        watcher_.emplace(list_, static_cast<Player &>(*this));
        picture_.reset(counts());
    }
    std::vector<std::int64_t> counts() const
    {
        std::vector<std::int64_t> found;
        try {
            if (watcher_) {
                for (const Section section : list_.sections()) {
                    found.push_back(section.size());
                }
            }
        } catch (const Error &) {
            // It was not fetched, or is closed.
            found.clear();
        }
        return found;
    }
    const Column &column(int number) const { return columns_[static_cast<std::size_t>(number)]; }

    // What cells show

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
        if (picture_.is_stale) {
            return found;
        }
        try {
            const auto place = picture_.follow({section, -1}, [&](const Change &change) {
                const auto name = change.section_name();
                found = name ? QVariant(to_string(*name)) : QVariant();
            });
            return place ? read(list_.section(place->section)) : found;
        } catch (const Error &) {
            return {};
        }
    }
    QVariant section_value(std::int64_t number) const
    {
        return of_section(number, [](const Section &section) { return to_variant(section.value()); });
    }
    QVariant title(std::int64_t number) const
    {
        return of_section(number, [&](const Section &section) {
            if (options_.section_title) {
                const auto count = static_cast<int>(picture_.counts[static_cast<std::size_t>(number)]);
                return options_.section_title(to_variant(section.value()), count);
            }
            const auto name = section.name();
            return name ? QVariant(to_string(*name)) : QVariant();
        });
    }

    // What the user does

    template <typename Action> bool attempt(Action &&action)
    {
        try {
            return action();
        } catch (const Error &error) {
            if (options_.on_error) {
                options_.on_error(error);
            }
            return false;
        }
    }
    bool write(const Object &item, const std::string &name, const QVariant &value)
    {
        if (store_ == nullptr) {
            return false;
        }
        const WrittenValue written(value);
        if (!store_->update(item.entity(), item.identity(), {{name.c_str(), written.value()}})) {
            throw Error(FR_NOT_FOUND, "there is no such row any more");
        }
        return true;
    }
    bool sort_by(const std::string &key_path, Qt::SortOrder direction)
    {
        const Request request = controller_->request();
        if (fetchedresults::detail::get(fr_request_is_select, request.handle())) {
            return false;
        }
        const std::vector<Order> present = orders_of(request);
        if (present != set_orders_) {
            own_orders_ = present;
        }
        std::vector<Order> wanted;
        if (!key_path.empty()) {
            wanted.push_back({key_path, direction == Qt::DescendingOrder ? std::uint32_t(FR_DESCENDING) : 0});
        }
        for (const Order &own : own_orders_) {
            if (own.key_path != key_path) {
                wanted.push_back(own);
            }
        }
        if (wanted != present) {
            is_sorting_ = true;
            try {
                controller_->set_request(in_order(request, wanted));
            } catch (...) {
                is_sorting_ = false;
                throw;
            }
            is_sorting_ = false;
        }
        set_orders_ = wanted;
        return true;
    }

    // Changes

    void expect(const ChangeSet &changes) override
    {
        picture_.is_stale = changes.is_reload();
        if (picture_.is_stale) {
            return;
        }
        std::deque<Step> steps = steps_of(changes);
        const bool is_long = options_.reload_threshold >= 0
                             && steps.size() > static_cast<std::size_t>(options_.reload_threshold);
        if (is_long || is_sorting_) {
            picture_.relocation = Relocation::of(changes);
        }
        picture_.is_stale = is_long && !picture_.relocation;
        if (!picture_.is_stale && !picture_.relocation) {
            picture_.ahead = std::move(steps);
        }
    }
    // Does all steps that were delivered. Also called before a change, when there may be none.
    void play() override
    {
        const std::uint64_t generation = picture_.generation;
        if (picture_.is_stale) {
            return reload();
        }
        if (picture_.relocation) {
            relocate();
        }
        std::vector<quintptr> counted;
        // A slot may reset the model.
        while (picture_.generation == generation && !picture_.ahead.empty()) {
            const Step step = picture_.ahead.front();
            if (!picture_.fits(step)) {
                return reload();
            }
            const auto end = announce(step);
            if (picture_.generation != generation) {
                return;
            }
            picture_.take();
            (this->*end)();
            note_counted(step, counted);
            const bool is_content = step.type() == ChangeType::updated
                                    || (step.type() == ChangeType::moved && changes_content(step.change(0), step));
            if (picture_.generation == generation && is_content) {
                report_content(step);
            }
        }
        if (picture_.generation == generation && !is_in_step()) {
            return reload();
        }
        for (std::size_t i = 0; picture_.generation == generation && i < counted.size(); i++) {
            if (const std::int64_t section = picture_.section_of(counted[i]); section >= 0) {
                report_title(section);
            }
        }
    }
    // A step's places are those of the sequential form, in which another section is one as well.
    static bool changes_content(const Change &change, const Step &step)
    {
        return (!step.is_sections() && step.old_path().section != step.new_path().section)
               || qt::changes_content(change);
    }
    void note_counted(const Step &step, std::vector<quintptr> &counted) const
    {
        if (!options_.section_title || step.is_sections()
            || (step.has_old() && step.has_new() && step.old_path().section == step.new_path().section)) {
            return;
        }
        for (const auto &[there, path] :
             {std::pair(step.has_old(), step.old_path()), std::pair(step.has_new(), step.new_path())}) {
            if (there) {
                const quintptr id = picture_.ids[static_cast<std::size_t>(path.section)];
                if (std::find(counted.begin(), counted.end(), id) == counted.end()) {
                    counted.push_back(id);
                }
            }
        }
    }
    // Shows all moves of rows together, with persistent indexes that follow them.
    void relocate()
    {
        const std::uint64_t generation = picture_.generation;
        emit layoutAboutToBeChanged({}, VerticalSortHint);
        if (picture_.generation != generation) {
            return;
        }
        const QModelIndexList old = persistentIndexList();
        QModelIndexList moved;
        for (const QModelIndex &each : old) {
            const auto path = path_of(each);
            if (!path || path->row < 0) {
                moved.append(each);
            } else {
                const QModelIndex to = index_at(picture_.relocation->follow(*path));
                moved.append(createIndex(to.row(), each.column(), to.internalId()));
            }
        }
        const Relocation relocation = std::move(*picture_.relocation);
        picture_.relocation.reset();
        changePersistentIndexList(old, moved);
        emit layoutChanged({}, VerticalSortHint);
        for (const auto &[section, rows] : relocation.content) {
            if (picture_.generation == generation) {
                report_rows(section, rows.first, rows.second);
            }
        }
    }
    // Whether the list has as many sections and rows as the model: a fetch may have changed it
    // without a notification.
    bool is_in_step() const
    {
        try {
            return list_.sections().size() == static_cast<std::int64_t>(picture_.counts.size())
                   && list_.size() == picture_.total();
        } catch (const Error &) {
            return true;
        }
    }

    ListRef list_;
    Store *store_ = nullptr;
    Controller *controller_ = nullptr;
    std::vector<Column> columns_;
    ModelOptions options_;
    std::set<QString> numbers_;
    Picture picture_;
    // Whether the change that is delivered next was requested by sort.
    bool is_sorting_ = false;
    // The order that sort has set, and that of the program before it.
    std::vector<Order> set_orders_, own_orders_;
    std::optional<Watcher> watcher_;
};

} // namespace fetchedresults::qt

#endif
