// Columns: what a model for Qt shows of each object, and how it is written.
#ifndef FETCHEDRESULTS_QT_COLUMN_HPP
#define FETCHEDRESULTS_QT_COLUMN_HPP

#include <optional>

#include <QtCore/Qt>

#include "object.hpp"
#include "qt_value.hpp"

namespace fetchedresults::qt {

// One column of a model. The setters can be chained.
class Column {
  public:
    using Shown = std::function<QVariant(const Object &)>;
    // Writes the user's input to the store; may return false to refuse it.
    using Edit = std::function<bool(const Object &, const QVariant &)>;

    // A column of the objects, by name, which is also that of the role in QML.
    Column(const char *name) : name_(name) {}
    Column(std::string name) : name_(std::move(name)) {}
    // What a function returns for an object. name: that of the role.
    Column(std::string name, Shown shown) : name_(std::move(name)), shown_(std::move(shown)) {}

    // What the header shows; the name if not set.
    Column &title(QString title)
    {
        title_ = std::move(title);
        return *this;
    }
    // The user's input is written to the column of the objects, with an UPDATE of the row.
    Column &editable()
    {
        is_editable_ = true;
        return *this;
    }
    Column &editable(Edit edit)
    {
        edit_ = std::move(edit);
        return editable();
    }
    // A check box in place of the text: a click writes 1 or 0 to the column.
    Column &checkable()
    {
        check_ = name_;
        return *this;
    }
    // A check box beside the text, for another column of the objects.
    Column &checkable(std::string column)
    {
        check_ = std::move(column);
        return *this;
    }
    // Of the cells and the header; numbers to the right if not set.
    Column &aligned(Qt::Alignment alignment)
    {
        alignment_ = alignment;
        return *this;
    }
    // The key path that a click on the header sorts by; the name if not set, "" for none. A
    // function is sorted by what is set here alone.
    Column &sorted_by(std::string key_path)
    {
        order_ = std::move(key_path);
        return *this;
    }

    const std::string &name() const noexcept { return name_; }
    QString header() const { return title_ ? *title_ : to_string(name_); }
    bool is_function() const noexcept { return static_cast<bool>(shown_); }
    bool is_editable() const noexcept { return is_editable_ && (edit_ || !is_function()); }
    const Edit &edit() const noexcept { return edit_; }
    // The column that the check box shows; "" without a box.
    const std::string &check() const noexcept { return check_; }
    // Whether there is a check box in place of the text.
    bool is_box() const noexcept { return !check_.empty() && check_ == name_ && !is_function(); }
    const std::optional<Qt::Alignment> &alignment() const noexcept { return alignment_; }
    std::string order() const { return order_ ? *order_ : is_function() ? std::string() : name_; }

    QVariant value(const Object &object) const
    {
        return shown_ ? shown_(object) : to_variant(object[std::string_view(name_)]);
    }
    bool is_checked(const Object &object) const
    {
        const Value value = object[std::string_view(check_)];
        return value.type() == ValueType::text ? !value.text().empty() : to_variant(value).toDouble() != 0;
    }

  private:
    std::string name_;
    Shown shown_;
    std::optional<QString> title_;
    bool is_editable_ = false;
    Edit edit_;
    std::string check_;
    std::optional<Qt::Alignment> alignment_;
    std::optional<std::string> order_;
};

} // namespace fetchedresults::qt

#endif
