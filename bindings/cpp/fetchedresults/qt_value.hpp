// Values of SQLite as those of Qt, and the reverse.
#ifndef FETCHEDRESULTS_QT_VALUE_HPP
#define FETCHEDRESULTS_QT_VALUE_HPP

#include <QByteArray>
#include <QDate>
#include <QDateTime>
#include <QString>
#include <QVariant>

#include "value.hpp"

namespace fetchedresults::qt {

inline QString to_string(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// A number, a QString, a QByteArray, or an invalid QVariant for NULL.
inline QVariant to_variant(const Value &value)
{
    switch (value.type()) {
    case ValueType::null:
        return {};
    case ValueType::integer:
        return QVariant::fromValue<qlonglong>(value.integer());
    case ValueType::real:
        return value.real();
    case ValueType::text:
        return to_string(value.text());
    case ValueType::blob: {
        const Blob blob = value.blob();
        return QByteArray(reinterpret_cast<const char *>(blob.begin()), static_cast<qsizetype>(blob.size()));
    }
    }
    return {};
}

// A QVariant as a value that can be written, with the bytes that the value borrows. Dates and times
// are text of ISO 8601; what is neither that nor one of the types above is what QVariant makes text
// of.
class WrittenValue {
  public:
    explicit WrittenValue(const QVariant &variant)
    {
        switch (variant.isNull() ? QMetaType::UnknownType : variant.userType()) {
        case QMetaType::UnknownType:
            break;
        case QMetaType::Bool:
        case QMetaType::Int:
        case QMetaType::UInt:
        case QMetaType::Long:
        case QMetaType::LongLong:
        case QMetaType::Short:
            value_ = Value(variant.toLongLong());
            break;
        case QMetaType::Float:
        case QMetaType::Double:
            value_ = Value(variant.toDouble());
            break;
        case QMetaType::QByteArray:
            bytes_ = variant.toByteArray();
            value_ = Value(
                Blob(reinterpret_cast<const std::byte *>(bytes_.constData()), static_cast<std::size_t>(bytes_.size())));
            break;
        default:
            bytes_ = variant.toString().toUtf8();
            value_ = Value(std::string_view(bytes_.constData(), static_cast<std::size_t>(bytes_.size())));
        }
    }
    WrittenValue(const WrittenValue &) = delete;
    WrittenValue &operator=(const WrittenValue &) = delete;

    const Value &value() const noexcept { return value_; }

  private:
    QByteArray bytes_;
    Value value_;
};

} // namespace fetchedresults::qt

#endif
