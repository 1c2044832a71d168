// What the user does in a model for Qt: edits, checks and sorts.
#ifndef FETCHEDRESULTS_QT_EDITING_HPP
#define FETCHEDRESULTS_QT_EDITING_HPP

#include "qt_cells.hpp"
#include "window.hpp"

namespace fetchedresults::qt {

// A model whose cells are edited and checked, and which is sorted.
class EditModel : public CellModel {
  public:
    // A model of a controller or section map, whose cells can be edited, and which can be sorted.
    // columns: those of the request if there are none.
    EditModel(Store &store, Controller &list, std::vector<Column> columns, ModelOptions options, QObject *parent)
        : EditModel(store, list, list, std::move(columns), declared_columns(store, list.request()), std::move(options),
                    parent)
    {
    }
    // The same of a window of the list. It grows when a view is scrolled to its end.
    EditModel(Store &store, Controller &list, Window &window, std::vector<Column> columns, ModelOptions options,
              QObject *parent)
        : EditModel(store, list, window, std::move(columns), declared_columns(store, list.request()),
                    std::move(options), parent)
    {
    }
    // A model of any list, such as a collection, which shows it alone.
    EditModel(ListRef list, std::vector<Column> columns, ModelOptions options, QObject *parent)
        : CellModel(list, nullptr, std::move(columns), {}, std::move(options), parent)
    {
    }

    Qt::ItemFlags flags(const QModelIndex &index) const override
    {
        Qt::ItemFlags flags = CellModel::flags(index);
        const auto path = path_of(index);
        if (!path || path->row < 0) {
            return flags;
        }
        const Column &shown = column(index.column());
        flags |= Qt::ItemNeverHasChildren;
        const bool is_written = store() != nullptr || options().submit;
        flags.setFlag(Qt::ItemIsEditable, shown.is_editable() && (is_written || shown.edit()));
        flags.setFlag(Qt::ItemIsUserCheckable, !shown.check().empty() && is_written);
        return flags;
    }
    // Writes the user's input, a click on a check box, or what QML sets for the role of a column.
    // False if that fails, after on_error.
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override
    {
        const auto item = read(index);
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
            return with_short_wait([&] {
                if (role == Qt::CheckStateRole || (shown.is_box() && !shown.is_editable())) {
                    return !shown.check().empty() && write(*item, shown.check(), value.toInt() != 0 ? 1 : 0);
                }
                if (!shown.is_editable()) {
                    return false;
                }
                return shown.edit() ? shown.edit()(*item, value) : write(*item, shown.name(), value);
            });
        });
    }
    // A view that has moved rows elsewhere, and overwrites what they left, sets null values alone:
    // that does nothing.
    bool setItemData(const QModelIndex &index, const QMap<int, QVariant> &roles) override
    {
        const bool is_empty = std::all_of(roles.begin(), roles.end(),
                                          [](const QVariant &value) { return value.isNull(); });
        return !is_empty && CellModel::setItemData(index, roles);
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

    // Whether the model shows a window after which the list may have more rows.
    bool canFetchMore(const QModelIndex &parent) const override
    {
        using fetchedresults::detail::find;
        if (parent.isValid() || !is_window_ || picture().total() == 0) {
            return false;
        }
        try {
            const auto anchor = find(fr_window_anchor, list().handle());
            return anchor && list().size() - list().index_of(*anchor) > extent().second;
        } catch (const Error &) {
            // The window is closed.
            return false;
        }
    }
    // Lets the window show more rows after those that it shows. Views call it when they are
    // scrolled to their end.
    void fetchMore(const QModelIndex &parent) override
    {
        constexpr std::int64_t fetched = 100;
        if (canFetchMore(parent)) {
            attempt([&] {
                const auto [before, after] = extent();
                fetchedresults::detail::call(fr_window_resize, list().handle(), before, after + fetched);
                return true;
            });
        }
    }

  protected:
    // The controller of the list; NULL for a list that is none.
    Controller *controller() const noexcept { return controller_; }
    // Does what the user asked for. Reports what it fails with, and returns false then.
    template <typename Action> bool attempt(Action &&action)
    {
        try {
            return action();
        } catch (const Error &error) {
            if (options().on_error) {
                options().on_error(error);
            }
            return false;
        }
    }
    // Writes with a short time to wait for a lock. Objects have to be read before: what is run here
    // may deliver, and change places.
    template <typename Write> bool with_short_wait(Write &&write)
    {
        if (options().submit) {
            return write();
        }
        const auto most = static_cast<std::int64_t>(options().edit_timeout.count());
        const std::int64_t usual = store() != nullptr ? busy_timeout() : 0;
        if (usual <= most) {
            return write();
        }
        set_busy_timeout(most);
        try {
            const bool is_done = write();
            set_busy_timeout(usual);
            return is_done;
        } catch (...) {
            set_busy_timeout(usual);
            throw;
        }
    }
    bool write(const Object &item, const std::string &name, const QVariant &value)
    {
        return write(item, {{to_string(name), value}});
    }
    // Sets columns of one row, with one UPDATE, or lets the program send them.
    bool write(const Object &item, const QVariantMap &columns)
    {
        if (options().submit) {
            bool is_taken = true;
            for (auto column = columns.begin(); column != columns.end(); ++column) {
                is_taken = send(item, column.key().toStdString(), column.value()) && is_taken;
            }
            return is_taken;
        }
        if (store() == nullptr) {
            return false;
        }
        std::vector<QByteArray> names;
        std::deque<WrittenValue> written;
        std::vector<const char *> native_names;
        std::vector<fr_value> values;
        for (auto column = columns.begin(); column != columns.end(); ++column) {
            names.push_back(column.key().toUtf8());
            values.push_back(written.emplace_back(column.value()).value().raw());
        }
        for (const QByteArray &name : names) {
            native_names.push_back(name.constData());
        }
        const Values identity(item.identity());
        fetchedresults::detail::call(fr_store_update, store()->handle(), fetchedresults::detail::Text(item.entity()),
                                     identity.data(), identity.size(), native_names.data(), values.data(),
                                     values.size());
        return true;
    }

  private:
    bool send(const Object &item, const std::string &name, const QVariant &entered)
    {
        const QVariant value = to_variant(WrittenValue(entered).value());
        const auto last = pending()->value(item, name);
        if (value == (last ? *last : PendingEdits::value_of(item, name))) {
            return true;
        }
        const Edit edit(item, name, value,
                        [this, held = std::weak_ptr(pending())](const Edit &ended, const std::string *message) {
                            if (!held.expired() && is_following()) {
                                end_edit(ended, message);
                            }
                        });
        pending()->add(edit);
        bool is_taken = false;
        try {
            is_taken = options().submit(edit);
        } catch (...) {
            pending()->remove(edit);
            throw;
        }
        if (!is_taken) {
            pending()->remove(edit);
        }
        report_cells(edit);
        return is_taken;
    }
    void report_cells(const Edit &edit)
    {
        const QModelIndex index = index_of(Values(edit.object().identity()));
        if (index.isValid()) {
            const auto is_its = [&](const std::string &name) {
                return to_string(name).compare(to_string(edit.column()), Qt::CaseInsensitive) == 0;
            };
            report_data(index.row(), index.row(), index.parent(), columns_with(is_its));
        }
    }
    void end_edit(const Edit &edit, const std::string *message)
    {
        pending()->remove(edit);
        report_cells(edit);
        if (message != nullptr && options().on_error) {
            options().on_error(Error(FR_ERROR, *message));
        }
    }

    EditModel(Store &store, Controller &list, ListRef shown, std::vector<Column> columns,
              const DeclaredColumns &declared, ModelOptions options, QObject *parent)
        : CellModel(shown, &store, columns.empty() ? shown_columns(list.request(), declared) : std::move(columns),
                    declared, std::move(options), parent),
          controller_(&list)
    {
    }
    static std::vector<Column> shown_columns(const Request &request, const DeclaredColumns &declared)
    {
        std::vector<Column> columns;
        for (const std::string &name : named_columns(request)) {
            columns.emplace_back(name);
        }
        if (columns.empty()) {
            for (const auto &column : declared) {
                columns.emplace_back(column.first);
            }
        }
        return columns;
    }

    // How many rows a window shows before and after its anchor.
    std::pair<std::int64_t, std::int64_t> extent() const
    {
        std::pair<std::int64_t, std::int64_t> extent;
        fetchedresults::detail::call(fr_window_extent, &extent.first, &extent.second, list().handle());
        return extent;
    }
    static bool is_window(ListRef list)
    {
        std::int64_t before = 0, after = 0;
        return fetchedresults::detail::status_of(fr_window_extent, &before, &after, list.handle()) == FR_OK;
    }

    // In milliseconds; 0 for an adopted connection with a busy handler of the program.
    std::int64_t busy_timeout() const
    {
        Statement pragma = store()->prepare("PRAGMA busy_timeout");
        return pragma.step() ? pragma[0].integer() : 0;
    }
    void set_busy_timeout(std::int64_t milliseconds) const
    {
        // It fails only where the write failed as well: the store is closed, or used by a callback.
        fr_store_execute(store()->handle(), ("PRAGMA busy_timeout = " + std::to_string(milliseconds)).c_str(), nullptr,
                         0);
    }

    bool sort_by(const std::string &key_path, Qt::SortOrder direction)
    {
        const Request request = controller_->request();
        if (request.info().select != nullptr) {
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
            while_sorting([&] { controller_->set_request(in_order(request, wanted)); });
        }
        set_orders_ = wanted;
        return true;
    }

    Controller *controller_ = nullptr;
    bool is_window_ = is_window(list());
    // The order that sort has set, and that of the program before it.
    std::vector<Order> set_orders_, own_orders_;
};

} // namespace fetchedresults::qt

#endif
