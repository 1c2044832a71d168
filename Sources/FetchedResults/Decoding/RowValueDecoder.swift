internal import ListEngine
internal import SQLiteKit

/// Decodes a row: a keyed container whose keys are the names of its columns. A row of one column
/// can also be decoded as the value of that.
struct RowValueDecoder: Decoder {
    let columns: [String]
    let values: [Value]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Decodes a type from the row.
    func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
        if values.count == 1, let value = try ValueDecoder(value: values[0], codingPath: []).known(type) {
            return value
        }
        return try Row(from: self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer<Key>(row: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try onlyValue(as: [Any].self).unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try onlyValue(as: Any.self) }

    private func onlyValue(as type: Any.Type) throws -> ValueDecoder {
        guard values.count == 1 else {
            throw DecodingError.typeMismatch(
                type,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "a row of \(counted(values.count, "column")) can't be decoded as a single value"))
        }
        return ValueDecoder(value: values[0], codingPath: codingPath)
    }
}

/// The columns of a row by their names, which are compared as SQLite compares them.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: RowValueDecoder
    var codingPath: [any CodingKey] { row.codingPath }

    var allKeys: [Key] { row.columns.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { index(of: key) != nil }

    private func index(of key: Key) -> Int? {
        row.columns.firstIndex(of: key.stringValue) ?? row.columns.firstIndex { isSameName($0, key.stringValue) }
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let index = index(of: key) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "there is no column named \(key.stringValue): the row has "
                        + row.columns.joined(separator: ", ")))
        }
        return ValueDecoder(value: row.values[index], codingPath: [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// A superclass is decoded from the same row.
    func superDecoder() throws -> any Decoder { row }
    func superDecoder(forKey key: Key) throws -> any Decoder { row }
}
