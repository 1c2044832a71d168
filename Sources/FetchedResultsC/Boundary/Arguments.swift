internal import CFetchedResults
internal import Glibc
internal import SQLiteKit

/// A pointer that may not be NULL.
func required<Pointee>(_ pointer: UnsafePointer<Pointee>?, _ name: String) throws -> UnsafePointer<Pointee> {
    guard let pointer = unsafe pointer else { throw StoreError(.misuse, "\(name) is NULL") }
    return unsafe pointer
}

func required<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ name: String
) throws -> UnsafeMutablePointer<Pointee> {
    guard let pointer = unsafe pointer else { throw StoreError(.misuse, "\(name) is NULL") }
    return unsafe pointer
}

/// A string of the caller, copied.
func string(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
    guard let string = unsafe String(validatingCString: try required(pointer, name)) else {
        throw StoreError(.invalidUTF8, "\(name) is not valid UTF-8")
    }
    return string
}

func optionalString(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String? {
    unsafe try pointer.map { unsafe try string($0, name) }
}

/// A number of array elements that is plausible, with the array.
func array<Element>(_ pointer: UnsafePointer<Element>?, _ count: Int, _ name: String) throws -> UnsafeBufferPointer<
    Element
> {
    guard count >= 0, count <= 1 << 20 else { throw StoreError(.range, "\(name): \(count) is not a valid count") }
    if count == 0 { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(start: try required(pointer, name), count: count)
}

func strings(_ pointer: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String) throws -> [String] {
    unsafe try array(pointer, count, name).enumerated().map { unsafe try string($1, "\(name)[\($0)]") }
}

func values(_ pointer: UnsafePointer<fr_value>?, _ count: Int, _ name: String) throws -> [Value] {
    unsafe try array(pointer, count, name).enumerated().map { unsafe try value($1, "\(name)[\($0)]") }
}

/// A 64-bit index as an `Int`.
func index(_ index: Int64) -> Int { Int(index) }

/// A value of the caller, copied.
func value(_ value: fr_value, _ name: String) throws -> Value {
    switch unsafe value.type {
    case Int32(FR_TYPE_NULL): return .null
    case Int32(FR_TYPE_INTEGER): return unsafe .integer(value.integer)
    case Int32(FR_TYPE_REAL): return unsafe value.real.isNaN ? .null : .real(value.real)
    case Int32(FR_TYPE_TEXT): return unsafe .text(try text(value, name))
    case Int32(FR_TYPE_BLOB): return unsafe .blob([UInt8](try bytes(value, name)))
    default: throw StoreError(.type, unsafe "\(name) has the unknown type \(value.type)")
    }
}

private func text(_ value: fr_value, _ name: String) throws -> String {
    guard let text = unsafe String(validating: try bytes(value, name), as: UTF8.self) else {
        throw StoreError(.invalidUTF8, "\(name) is not valid UTF-8")
    }
    return text
}

/// The bytes of a text or blob of the caller.
func bytes(_ value: fr_value, _ name: String) throws -> UnsafeRawBufferPointer {
    guard unsafe value.length != 0 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    guard let data = unsafe value.data else { throw StoreError(.misuse, "\(name) has a length but no data") }
    if unsafe value.length == -1, unsafe value.type == Int32(FR_TYPE_TEXT) {
        return unsafe UnsafeRawBufferPointer(start: data, count: strlen(data))
    }
    guard unsafe value.length > 0, unsafe value.length <= Int64(Int32.max) else {
        throw StoreError(.range, unsafe "\(name) can't have a length of \(value.length)")
    }
    return unsafe UnsafeRawBufferPointer(start: data, count: Int(value.length))
}

/// Binds a value to a statement's parameter without copying it first.
func bind(_ value: fr_value, to statement: Statement, at index: Int) throws {
    switch unsafe value.type {
    case Int32(FR_TYPE_NULL): try statement.bind(.null, at: index)
    case Int32(FR_TYPE_INTEGER): unsafe try statement.bind(value.integer, at: index)
    case Int32(FR_TYPE_REAL): unsafe try statement.bind(.real(value.real), at: index)
    case Int32(FR_TYPE_TEXT):
        let bytes = unsafe try bytes(value, "value")
        guard unsafe isValidUTF8(bytes) else { throw StoreError(.invalidUTF8, "value is not valid UTF-8") }
        unsafe try statement.bind(.text, integer: 0, real: 0, bytes: bytes, at: index)
    case Int32(FR_TYPE_BLOB):
        unsafe try statement.bind(.blob, integer: 0, real: 0, bytes: try bytes(value, "value"), at: index)
    default: throw StoreError(.type, unsafe "value has the unknown type \(value.type)")
    }
}

private func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.isASCII || String(validating: bytes, as: UTF8.self) != nil
}

/// Value `index` of row values, its bytes borrowed from the values.
func borrowedValue(_ rowValues: RowValues, _ index: Int) -> fr_value {
    let storageClass = rowValues.storageClass(index)
    let bytes = unsafe rowValues.bytes(index)
    return unsafe fr_value(
        type: Int32(storageClass.rawValue), reserved: 0, integer: rowValues.integer(index), real: rowValues.real(index),
        data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: Int64(bytes.count))
}

/// Checks an index of the caller.
func checked(_ index: Int64, below count: Int, _ name: String) throws -> Int {
    guard index >= 0, index < Int64(count) else {
        throw StoreError.outOfRange("\(name) \(index)", count: count)
    }
    return Int(index)
}

/// The user data of a callback. Its `destroy` is called exactly once, when nothing references it
/// any more. It is safe to store; only the program follows the pointer.
@safe final class UserData {
    let pointer: UnsafeMutableRawPointer?
    private var destroy: fr_destroy?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: fr_destroy?) {
        unsafe self.pointer = pointer
        unsafe self.destroy = destroy
    }

    deinit { unsafe Self.destroy(pointer, destroy) }

    /// The data, which another object destroys from now on.
    func take() -> (pointer: UnsafeMutableRawPointer?, destroy: fr_destroy?) {
        defer { unsafe destroy = nil }
        return unsafe (pointer, destroy)
    }

    static func destroy(_ pointer: UnsafeMutableRawPointer?, _ destroy: fr_destroy?) {
        if let destroy = unsafe destroy { LastError.preserving { unsafe destroy(pointer) } }
    }
}
