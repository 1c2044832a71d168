internal import SQLiteKit

/// Decodes the value of one column.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: Value
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, "a column has no nested columns")
    }

    /// The bytes of a blob: an array of bytes, of Foundation's `Data`, or of another type
    /// that is decoded byte by byte.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .blob(let bytes) = value else { throw unsuitable([UInt8].self) }
        return BlobContainer(bytes: bytes, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNull }

    /// 0 or 1, as SQLite stores truth values.
    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .integer(0): return false
        case .integer(1): return true
        case .integer(let integer): throw corrupted("\(integer) is neither 0 nor 1")
        default: throw unsuitable(type)
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw unsuitable(type) }
        return text
    }

    /// Also from an integer that it represents exactly: SQLite stores a number such as 3.0 as an
    /// integer, unless the column has the affinity REAL.
    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .real(let real): return real
        case .integer(let integer):
            guard let real = Double(exactly: integer) else { throw corrupted("\(integer) is no exact Double") }
            return real
        default: throw unsuitable(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float {
        let double = try decode(Double.self)
        let float = Float(double)
        guard float.isFinite || !double.isFinite else { throw corrupted("\(double) does not fit into a Float") }
        return float
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard case .integer(let stored) = value else { throw unsuitable(type) }
        guard let integer = Integer(exactly: stored) else { throw corrupted("\(stored) does not fit into \(type)") }
        return integer
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try known(type) ?? T(from: self) }

    /// The value of a type that needs no containers; nil for other types.
    func known<T>(_ type: T.Type) throws -> T? {
        guard type == [UInt8].self else { return nil }
        guard case .blob(let bytes) = value else { throw unsuitable(type) }
        return bytes as? T
    }

    // MARK: Errors

    private var context: String { codingPath.isEmpty ? "the value" : "the column" }

    /// NULL, or a value of another type.
    private func unsuitable(_ type: Any.Type) -> DecodingError {
        guard !value.isNull else {
            return .valueNotFound(
                type, DecodingError.Context(codingPath: codingPath, debugDescription: "\(context) is NULL"))
        }
        return mismatch(type, "\(context) has the \(value.kind) \(value.summary)")
    }

    private func mismatch(_ type: Any.Type, _ description: String) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }

    private func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}

extension Value {
    fileprivate var kind: String {
        switch self {
        case .null: "value"
        case .integer: "integer"
        case .real: "floating point number"
        case .text: "text"
        case .blob: "blob"
        }
    }

    /// The value in a message, without long texts.
    fileprivate var summary: String {
        switch self {
        case .null, .integer, .real: description
        case .text(let text): text.count > 40 ? "\(Value.text(String(text.prefix(40))))..." : description
        case .blob(let bytes): "of \(counted(bytes.count, "byte"))"
        }
    }
}

/// The bytes of a blob, one by one.
private struct BlobContainer: UnkeyedDecodingContainer {
    let bytes: [UInt8]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { bytes.count }
    var isAtEnd: Bool { currentIndex == bytes.count }

    private mutating func next(_ type: Any.Type) throws -> ValueDecoder {
        guard currentIndex < bytes.count else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "the blob has only \(counted(bytes.count, "byte"))"))
        }
        defer { currentIndex += 1 }
        return ValueDecoder(value: .integer(Int64(bytes[currentIndex])), codingPath: codingPath)
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type).decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type).decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type).decode(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type).decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type).decode(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type).decode(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type).decode(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type).decode(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type).decode(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type).decode(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type).decode(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type).decode(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type).decode(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type).decode(type) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type).decode(type) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next([String: Any].self).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next(Any.self) }
}
