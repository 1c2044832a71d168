// The identities of many rows.
#ifndef FETCHEDRESULTS_IDENTITIES_HPP
#define FETCHEDRESULTS_IDENTITIES_HPP

#include <cstring>
#include <deque>

#include "value.hpp"

namespace fetchedresults {

// The identities of rows as they were when they were read: a value that does not change with the
// list.
class Identities {
  public:
    Identities() = default;
    Identities(Identities &&) = default;
    Identities &operator=(Identities &&) = default;

    std::size_t size() const noexcept { return ends_.size(); }
    bool empty() const noexcept { return ends_.empty(); }
    // The identity of one of the rows, which borrows texts from here.
    std::vector<Value> operator[](std::size_t index) const
    {
        const std::size_t first = index > 0 ? ends_[index - 1] : 0;
        return std::vector<Value>(values_.begin() + static_cast<std::ptrdiff_t>(first),
                                  values_.begin() + static_cast<std::ptrdiff_t>(ends_[index]));
    }

  private:
    friend class ListRef;

    // Copies the identities of a block.
    void append(const fr_rows &rows)
    {
        const std::size_t first = values_.size(), width = rows.identity_count;
        values_.resize(first + rows.count * width);
        for (std::size_t column = 0; column < width; column++) {
            copy(rows.identities[column], rows.count, first + column, width);
        }
        for (std::size_t row = 1; row <= rows.count; row++) {
            ends_.push_back(first + row * width);
        }
    }
    // Copies a column to every `width`th value.
    void copy(const fr_column &column, std::size_t count, std::size_t first, std::size_t width)
    {
        const char *text = static_cast<const char *>(column.data);
        for (std::size_t row = 0; row < count; row++) {
            Value &value = values_[first + row * width];
            switch (column.kind) {
            case FR_COLUMN_INTEGERS:
                value = static_cast<const std::int64_t *>(column.data)[row];
                break;
            case FR_COLUMN_REALS:
                value = static_cast<const double *>(column.data)[row];
                break;
            case FR_COLUMN_TEXTS:
                value = texts_.emplace_back(text);
                text += std::strlen(text) + 1;
                break;
            default:
                value = owned(static_cast<const fr_value *>(column.data)[row]);
            }
        }
        for (std::size_t index = 0; index < column.null_count; index++) {
            values_[first + static_cast<std::size_t>(column.nulls[index]) * width] = nullptr;
        }
    }
    Value owned(fr_value value)
    {
        if (value.type == FR_TYPE_TEXT || value.type == FR_TYPE_BLOB) {
            value.data = texts_.emplace_back(value.data, static_cast<std::size_t>(value.length)).data();
        }
        return Value(value);
    }

    std::vector<Value> values_;
    std::vector<std::size_t> ends_; // of the values of each row
    std::deque<std::string> texts_; // whose addresses stay when more are appended
};

} // namespace fetchedresults

#endif
