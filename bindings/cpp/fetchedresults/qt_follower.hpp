// A model for Qt that follows a list: it leads views from the old list to the new one.
#ifndef FETCHEDRESULTS_QT_FOLLOWER_HPP
#define FETCHEDRESULTS_QT_FOLLOWER_HPP

#include <QAbstractItemModel>
#include <QPersistentModelIndex>
#include <QSet>
#include <QVariant>
#include <QVariantMap>
#include <chrono>
#include <cstdlib>
#include <set>

#include "qt_pending.hpp"
#include "qt_picture.hpp"
#include "qt_round.hpp"
#include "qt_value.hpp"
#include "store.hpp"

namespace fetchedresults::qt {

// What a section shows: what a function makes of its value and its number of rows, and if it has a
// third parameter, of its totals.
class SectionTitle {
  public:
    SectionTitle() = default;
    template <typename Function, std::enable_if_t<!std::is_same_v<std::decay_t<Function>, SectionTitle>, int> = 0>
    SectionTitle(Function &&function)
    {
        if constexpr (std::is_invocable_v<Function &, const QVariant &, int, const QVariantMap &>) {
            function_ = std::forward<Function>(function);
        } else if (std::function<QVariant(const QVariant &, int)> plain(std::forward<Function>(function)); plain) {
            function_ = [plain = std::move(plain)](const QVariant &value, int count, const QVariantMap &) {
                return plain(value, count);
            };
        }
    }
    explicit operator bool() const noexcept { return static_cast<bool>(function_); }
    QVariant operator()(const QVariant &value, int count, const QVariantMap &totals) const
    {
        return function_(value, count, totals);
    }

  private:
    std::function<QVariant(const QVariant &, int, const QVariantMap &)> function_;
};

// How a model is made. Members may be left out.
struct ModelOptions {
    // What a section shows; its name if not set.
    SectionTitle section_title{};
    // How many steps of a change set are announced one by one. If there are more, the model is
    // reset, or if only rows inside their sections moved, its layout changes. Negative: all are.
    int reload_threshold = 1000;
    // The column by which the user orders rows: if the list is sorted by it, rows can be dragged.
    std::string position{};
    // Receives what failed that the user did: an edit, a check, a sort, a drop.
    std::function<void(const Error &)> on_error{};
    // Whether a row that moves is announced as such. False: as removed and inserted, below a proxy
    // model that sorts everything when a row moves, or ignores it (docs/qt.md).
    bool announces_moves = true;
    // How long what the user writes waits for the lock of another connection, if the store would
    // wait longer: the window does not react meanwhile. Then it fails, and on_error receives that.
    std::chrono::milliseconds edit_timeout{500};
    // Takes what the user edits, checks and drags, an Edit for each column of a row, in place of
    // the UPDATE that the model executes: for a list that follows another place, such as a server,
    // to which the program sends the edit. It returns false to refuse. The cells show the values,
    // with pending_role, until they come back.
    std::function<bool(const Edit &)> submit{};
};

// A model that follows a list. It needs no moc.
class Follower : public QAbstractItemModel, private Player {
  public:
    // Shows the present state of the list: after a fetch, which notifies nobody. A model reset.
    void reload()
    {
        beginResetModel();
        picture_.reset(counts());
        endResetModel();
        report_totals();
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
        note_whole(index);
        return read(index);
    }

    // The totals of the list, by name. Empty for a request without totals, and a list of groups.
    // When they change, headerDataChanged is emitted, after the rows that changed.
    QVariantMap totals() const
    {
        // A model that was closed shows none.
        return watcher_ ? to_map([&] { return list_.totals(); }) : QVariantMap();
    }

  protected:
    // Ranges of columns, the first and the last of each.
    using Columns = std::vector<std::pair<int, int>>;

    // The same for a reader of columns that are noted elsewhere.
    std::optional<Object> read(const QModelIndex &index) const
    {
        const auto path = path_of(index);
        if (!path || path->row < 0 || picture_.is_stale) {
            return std::nullopt;
        }
        note_read(index.row());
        try {
            std::optional<Object> gone;
            const auto place = picture_.follow(*path, [&](const Change &change) { gone = change.object(); });
            return place ? std::optional<Object>(list_[*place]) : gone;
        } catch (const Error &error) {
            note_blank(index, error);
            return std::nullopt;
        }
    }
    // Notes that a cell is read which shows other values of its row, too.
    void note_whole(const QModelIndex &index) const { whole_in_.insert(index.column()); }
    // The highest row that was read; -1 if none was.
    int furthest_read() const noexcept { return furthest_read_; }
    // The columns in which such cells were read.
    const std::set<int> &whole_in() const noexcept { return whole_in_; }
    // Notes that a cell of a row is read which shows something of its section.
    void note_section(const QModelIndex &index) const { section_in_.insert(index.column()); }
    // The columns in which such cells were read.
    Columns section_columns() const
    {
        Columns found;
        for (const int column : section_in_) {
            found.emplace_back(column, column);
        }
        return found;
    }

    // store: that of the list; NULL for a list of several ones.
    Follower(ListRef list, Store *store, ModelOptions options, QObject *parent)
        : QAbstractItemModel(parent), list_(list), store_(store), options_(std::move(options))
    {
        watcher_.emplace(list_, static_cast<Player &>(*this));
        picture_.reset(counts());
        reported_totals_ = totals();
    }

    // The place of an index in the picture, a section's with row -1; nothing if it is not valid
    // there.
    virtual std::optional<IndexPath> path_of(const QModelIndex &index) const = 0;
    virtual QModelIndex index_at(IndexPath path) const = 0;
    using End = void (Follower::*)();
    // Announces a step to Qt. Returns what has to be called after it was done.
    virtual End announce(const Step &step) = 0;
    virtual void report_content(const Step &step) = 0;
    // The columns in which rows of a step, which was done, may show something else.
    virtual Columns changed_columns(const Step &step) const = 0;
    virtual void report_rows(std::int64_t section, std::int64_t first, std::int64_t last) = 0;
    virtual void report_title(std::int64_t) {}
    // Reports that a section shows something else, and its rows in roles of their section.
    virtual void report_section(std::int64_t section) = 0;
    // Called before the steps of a change, when the list is in the new state.
    virtual void settle() {}
    // Whether the model follows its list: it was not closed.
    bool is_following() const noexcept { return watcher_.has_value(); }

    void end_insert() { endInsertRows(); }
    void end_remove() { endRemoveRows(); }
    void end_move() { endMoveRows(); }
    void end_nothing() {}
    void report_data(std::int64_t first, std::int64_t last, const QModelIndex &parent)
    {
        report_data(first, last, parent, {{0, columnCount(parent) - 1}});
    }
    void report_data(std::int64_t first, std::int64_t last, const QModelIndex &parent, const Columns &columns)
    {
        const std::uint64_t generation = picture_.generation;
        for (const auto &[from, to] : columns) {
            // A slot may reset the model.
            if (picture_.generation == generation) {
                emit dataChanged(index(static_cast<int>(first), from, parent),
                                 index(static_cast<int>(last), to, parent));
            }
        }
    }

    const Picture &picture() const noexcept { return picture_; }
    ListRef list() const noexcept { return list_; }
    // The columns of the object that a function reads, by name; none if that fails: the list was
    // not fetched, or is closed.
    template <typename Read> static QVariantMap to_map(Read &&read)
    {
        QVariantMap map;
        try {
            const Object totals = read();
            for (std::int64_t column = 0; column < totals.column_count(); column++) {
                map[to_string(totals.column_name(column))] = to_variant(totals[column]);
            }
        } catch (const Error &) {
            map.clear();
        }
        return map;
    }
    Store *store() const noexcept { return store_; }
    // Notes that a row or section has no data, which is reported when it may be read again: after
    // the round in which the change that made it unreadable is delivered.
    void note_blank(const QModelIndex &index, const Error &error) const
    {
        if (error.status() != FR_GONE) {
            return;
        }
        blanks_->insert(QPersistentModelIndex(index.siblingAtColumn(0)));
        if (blanks_->size() == 1) {
            std::set<fr_store *> stores;
            visit_controllers(list_.handle(), [&](fr_list *, fr_store *store) { stores.insert(store); });
            for (fr_store *each : stores) {
                report_blanks_after_round(each);
            }
        }
    }
    const ModelOptions &options() const noexcept { return options_; }
    // Does what changes the order of the list, which is shown as one change of the layout.
    template <typename Action> void while_sorting(Action &&action)
    {
        is_sorting_ = true;
        try {
            action();
        } catch (...) {
            is_sorting_ = false;
            throw;
        }
        is_sorting_ = false;
    }

  private:
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
    void expect(const ChangeSet &changes) override
    {
        is_expecting_ = true;
        picture_.is_stale = changes.is_reload();
        if (picture_.is_stale) {
            return;
        }
        if (is_sorting_) {
            picture_.relocation = Relocation::of(changes);
        }
        if (picture_.relocation) {
            return;
        }
        if (auto steps = steps_of(changes, options_.reload_threshold)) {
            picture_.ahead = std::move(*steps);
        } else {
            picture_.relocation = Relocation::of(changes);
            picture_.is_stale = !picture_.relocation;
        }
    }
    // Shows what was delivered. Also called before a change, when there may be nothing.
    void play() override
    {
        do_steps();
        if (std::exchange(is_expecting_, false)) {
            report_totals();
        }
    }
    void report_totals()
    {
        const QVariantMap now = totals();
        const QVariantMap before = std::exchange(reported_totals_, now);
        if (now == before) {
            return;
        }
        const std::uint64_t generation = picture_.generation;
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        const auto sections = static_cast<std::int64_t>(picture_.counts.size());
        // The only section of a flat list has no record, and with the totals of another request no
        // section has one.
        if (now.keys() == before.keys() && sections != 1) {
            return;
        }
        for (std::int64_t section = 0; section < sections; section++) {
            // A slot may reset the model.
            if (picture_.generation == generation) {
                report_section(section);
            }
        }
    }
    void do_steps()
    {
        const std::uint64_t generation = picture_.generation;
        settle();
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
            const bool is_halved = step.type() == ChangeType::moved && !options_.announces_moves;
            const auto end = announce(is_halved ? step.leaving() : step);
            if (picture_.generation != generation) {
                return;
            }
            is_halved ? picture_.lift() : picture_.take();
            (this->*end)();
            note_counted(step, counted);
            const bool is_content = step.type() == ChangeType::updated
                                    || (step.type() == ChangeType::moved && !is_halved
                                        && changes_content(step.change(0), step));
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
        for (const std::int64_t section : relocation.sections) {
            if (picture_.generation == generation) {
                report_section(section);
            }
        }
    }
    // Notes which row is read. A view reads rows near each other, which the list's cache of rows is
    // made for. A proxy model that sorts compares rows anywhere in the list.
    void note_read(int row) const
    {
        constexpr int distance = 500, reads = 4096;
        furthest_read_ = std::max(furthest_read_, row);
        far_reads_ += std::abs(row - std::exchange(last_read_, row)) > distance ? 1 : 0;
        if (++reads_ == reads) {
            if (far_reads_ > reads / 4) {
                visit_controllers(list_.handle(), [](fr_list *list, fr_store *) { widen_cache(list); });
            }
            reads_ = far_reads_ = 0;
        }
    }
    // Lets a list cache all its rows, up to 64 MiB, unless the program has set another size.
    static void widen_cache(fr_list *list)
    {
        constexpr std::int64_t unset_rows = 1000, unset_bytes = 8 << 20, most_bytes = 64 << 20;
        std::int64_t rows = 0, bytes = 0, count = 0;
        if (fr_controller_row_cache_size(&rows, list) == FR_OK && rows == unset_rows
            && fr_controller_row_cache_bytes(&bytes, list) == FR_OK && bytes == unset_bytes
            && fr_list_count(&count, list) == FR_OK && count > rows) {
            // Where one of these fails, the list is closed, and rows are not read any more.
            fr_controller_set_row_cache_size(list, count);
            fr_controller_set_row_cache_bytes(list, most_bytes);
        }
    }
    // Calls a function with a list and its store, or with the lists that a collection shows.
    template <typename Visit> static void visit_controllers(fr_list *list, Visit &&visit)
    {
        fr_store *store = nullptr;
        if (fr_controller_store(&store, list) == FR_OK) {
            visit(list, store);
            return;
        }
        std::int64_t count = 0;
        if (fr_collection_child_count(&count, list) != FR_OK) {
            return;
        }
        for (std::int64_t index = 0; index < count; index++) {
            fr_list *child = nullptr;
            if (fr_collection_child(&child, list, index) == FR_OK && child != nullptr) {
                visit_controllers(child, visit);
            }
        }
    }
    void report_blanks_after_round(fr_store *store) const
    {
        try {
            Store::call_after_round(
                store, [self = const_cast<Follower *>(this), blanks = std::weak_ptr(blanks_)](const Error *) {
                    if (!blanks.expired()) {
                        self->report_blanks();
                    }
                });
        } catch (const Error &) {
            // It is closed.
        }
    }
    void report_blanks()
    {
        const QSet<QPersistentModelIndex> blanks = std::exchange(*blanks_, {});
        for (const QPersistentModelIndex &each : blanks) {
            if (each.isValid()) {
                report_data(each.row(), each.row(), each.parent());
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
    Store *store_;
    ModelOptions options_;
    Picture picture_;
    // Whether the change that is delivered next was requested by sort.
    bool is_sorting_ = false;
    // Whether a delivery was received whose totals were not reported.
    bool is_expecting_ = false;
    QVariantMap reported_totals_;
    mutable std::set<int> whole_in_, section_in_;
    // The row that was read last; how many were read, and how many of these far from the one
    // before.
    mutable int last_read_ = 0, reads_ = 0, far_reads_ = 0, furthest_read_ = -1;
    std::optional<Watcher> watcher_;
    // The rows and sections whose data could not be read; they follow them.
    std::shared_ptr<QSet<QPersistentModelIndex>> blanks_ = std::make_shared<QSet<QPersistentModelIndex>>();
};

} // namespace fetchedresults::qt

#endif
