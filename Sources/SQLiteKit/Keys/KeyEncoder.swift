internal import Glibc

/// Converts values into bytes that compare, as plain bytes, exactly as SQLite compares the values.
///
/// SQLite orders NULL < numbers < texts < blobs (https://www.sqlite.org/datatype3.html#sort_order),
/// and integers and reals by their mathematical value. Each component begins with a tag for the
/// class:
/// - A number is the largest double that is not above it, with sign and exponent arranged so that
///   bytes compare. Beyond 2^53 the difference between the integer and that double follows.
/// - A text or blob is its bytes, with zero bytes escaped as 00 FF, and ends with 00 01.
///
/// A descending component has all its bits inverted. No component is a prefix of another one, so
/// what follows a component, if anything, does not matter.
///
/// Safe except for `bytes`: it owns the buffer, and `reserve` has made room for whatever is
/// written.
@safe package struct KeyEncoder: ~Copyable {
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) package var count = 0

    /// The capacity of the first buffer of an encoder that was created without one.
    private static let usualCapacity = 256

    /// An encoder that has no memory until it is used.
    package init() {
        unsafe buffer = UnsafeMutablePointer(bitPattern: 1).unsafelyUnwrapped
        capacity = 0
    }

    package init(capacity: Int) {
        unsafe buffer = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { if capacity > 0 { unsafe buffer.deallocate() } }

    /// The encoded bytes, valid until the next change and as long as the encoder.
    package var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: buffer, count: count) }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        unsafe try body(bytes)
    }

    package func copy() -> [UInt8] { unsafe [UInt8](bytes) }

    package mutating func removeAll() { count = 0 }

    /// Whether the same bytes were encoded.
    func isSame(as other: borrowing KeyEncoder) -> Bool {
        unsafe count == other.count && memcmp(buffer, other.buffer, count) == 0
    }

    private static let nullFirstTag: UInt8 = 1
    private static let numberTag: UInt8 = 2
    private static let textTag: UInt8 = 3
    private static let blobTag: UInt8 = 4
    private static let nullLastTag: UInt8 = 5

    /// Appends one value.
    mutating func append(_ value: ValueReader, _ component: borrowing KeyComponent) {
        unsafe append(value, component.form)
    }

    /// Most sort values are texts that are compared by their bytes, so only these are inlined.
    @inline(__always)
    mutating func append(_ value: ValueReader, _ form: KeyForm) {
        if unsafe value.isText, unsafe form.isPlain, unsafe appendPlain(value.bytes(.text)) { return }
        unsafe append(any: value, form)
    }

    @inline(never)
    private mutating func append(any value: ValueReader, _ form: KeyForm) {
        let storageClass = unsafe value.storageClass
        switch storageClass {
        case .null: unsafe append(storageClass, 0, 0, UnsafeRawBufferPointer(start: nil, count: 0), form)
        case .integer: unsafe append(storageClass, value.integer, 0, UnsafeRawBufferPointer(start: nil, count: 0), form)
        case .real: unsafe append(storageClass, 0, value.real, UnsafeRawBufferPointer(start: nil, count: 0), form)
        case .text, .blob: unsafe append(storageClass, 0, 0, value.bytes(storageClass), form)
        }
    }

    /// Appends value `index` of row values.
    package mutating func append(_ rowValues: RowValues, _ index: Int, _ component: borrowing KeyComponent) {
        unsafe append(
            rowValues.storageClass(index), rowValues.integer(index), rowValues.real(index), rowValues.bytes(index),
            component.form)
    }

    mutating func append(
        _ storageClass: StorageClass, _ integer: Int64, _ real: Double, _ bytes: UnsafeRawBufferPointer,
        _ form: KeyForm
    ) {
        let start = count
        switch storageClass {
        case .null: append(form.nullsFirst != form.isDescending ? KeyEncoder.nullFirstTag : KeyEncoder.nullLastTag)
        case .integer: append(integer: integer)
        case .real: append(real: real)
        case .text: unsafe append(text: bytes, form.text)
        case .blob:
            append(KeyEncoder.blobTag)
            unsafe append(escaping: bytes)
        }
        if form.isDescending { invert(from: start) }
    }

    /// Appends a row id, which is the last part of every key of a table that has row ids.
    package mutating func append(rowid: Int64) {
        reserve(8)
        unsafe (UnsafeMutableRawPointer(buffer) + count)
            .storeBytes(of: UInt64(bitPattern: rowid ^ Int64.min).bigEndian, as: UInt64.self)
        count &+= 8
    }

    /// Appends a row id that replaces a key with NULL: no other component begins with this byte.
    package mutating func append(standInRowid rowid: Int64) {
        append(0xff)
        append(rowid: rowid)
    }

    private mutating func append(integer: Int64) {
        var double = Double(integer)
        if integer.magnitude < 1 << 53 { return append(double: double, rest: 0) }
        // 2^63 is the one double to which an Int64 can round up and that can't be converted back.
        if double >= 0x1p63 || Int64(double) > integer { double = double.nextDown }
        append(double: double, rest: UInt16(truncatingIfNeeded: integer &- Int64(double)))
    }

    private mutating func append(real: Double) { append(double: real, rest: 0) }

    private mutating func append(double: Double, rest: UInt16) {
        append(KeyEncoder.numberTag)
        let bits = double == 0 ? 0 : double.bitPattern
        let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
        reserve(10)
        let place = unsafe UnsafeMutableRawPointer(buffer) + count
        unsafe place.storeBytes(of: ordered.bigEndian, as: UInt64.self)
        count &+= 8
        if double.magnitude >= 0x1p53 {
            unsafe (place + 8).storeBytes(of: rest.bigEndian, as: UInt16.self)
            count &+= 2
        }
    }

    private mutating func append(text: UnsafeRawBufferPointer, _ form: KeyForm.Text) {
        append(KeyEncoder.textTag)
        switch unsafe form {
        case .plain: unsafe append(escaping: text)
        case .trimmed:
            var end = text.count
            while end > 0, unsafe text[end - 1] == 0x20 { end -= 1 }
            unsafe append(escaping: UnsafeRawBufferPointer(rebasing: text[..<end]))
        case .foldedCase: unsafe append(foldingCase: text)
        case .utf16(let isBigEndian): unsafe append(utf16: text, isBigEndian)
        case .locale(let locale):
            unsafe locale.takeUnretainedValue().transform(text).withUnsafeBytes { unsafe append(escaping: $0) }
        }
    }

    /// Appends a text that is compared by its bytes; false if it has zero bytes.
    @inline(__always)
    private mutating func appendPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return false }
        reserve(text.count + 3)
        let place = unsafe UnsafeMutableRawPointer(buffer + count)
        guard unsafe KeyEncoder.copyUpToZero(start, to: place + 1, text.count) else { return false }
        unsafe place.storeBytes(of: KeyEncoder.textTag, as: UInt8.self)
        unsafe (place + text.count + 1).storeBytes(of: KeyEncoder.end, as: UInt16.self)
        count &+= text.count + 3
        return true
    }

    /// The two bytes that end a text.
    private static var end: UInt16 { UInt16(bigEndian: 1) }

    /// Copies bytes; false if one of them is zero. Texts of usual lengths are copied without calls
    /// and loops, in words that may overlap.
    @inline(__always)
    private static func copyUpToZero(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int
    ) -> Bool {
        let last = count &- 8
        guard last >= 0, last <= 24 else {
            if unsafe memchr(source, 0, count) != nil { return false }
            unsafe memcpy(target, source, count)
            return true
        }
        let first = unsafe copyWord(source, to: target, at: 0) | copyWord(source, to: target, at: min(8, last))
        return unsafe first | copyWord(source, to: target, at: min(16, last)) | copyWord(source, to: target, at: last)
            == 0
    }

    /// Copies eight bytes. The result is zero if none of them is zero.
    @inline(__always)
    private static func copyWord(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, at offset: Int
    ) -> UInt64 {
        let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        unsafe target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
        return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    private mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            if unsafe memchr(start, 0, bytes.count) == nil {
                reserve(bytes.count)
                unsafe memcpy(buffer + count, start, bytes.count)
                count &+= bytes.count
            } else {
                for index in 0..<bytes.count { append(escaped: unsafe bytes[index]) }
            }
        }
        appendEnd()
    }

    /// SQLite compares UTF-16 texts byte by byte, in the byte order of the database.
    private mutating func append(utf16 text: UnsafeRawBufferPointer, _ isBigEndian: Bool) {
        var offset = 0
        while let point = unsafe KeyEncoder.nextCodePoint(of: text, &offset) {
            if point > 0xffff {
                append(unit: UInt16(truncatingIfNeeded: 0xd800 + (point - 0x10000) >> 10), isBigEndian)
                append(unit: UInt16(truncatingIfNeeded: 0xdc00 | point & 0x3ff), isBigEndian)
            } else {
                append(unit: UInt16(truncatingIfNeeded: point), isBigEndian)
            }
        }
        appendEnd()
    }

    /// The next code point of a UTF-8 text that SQLite made, which can be a lone half of a
    /// surrogate pair, which a Swift string would replace; nil at the end.
    private static func nextCodePoint(of text: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt32? {
        guard offset < text.count else { return nil }
        let first = unsafe UInt32(text[offset])
        offset += 1
        if first < 0xc0 { return first }
        var point = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07)
        while offset < text.count, unsafe text[offset] & 0xc0 == 0x80 {
            point = unsafe (point << 6 | UInt32(text[offset] & 0x3f)) & 0x1f_ffff
            offset += 1
        }
        return point
    }

    private mutating func append(unit: UInt16, _ isBigEndian: Bool) {
        let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
        append(escaped: isBigEndian ? high : low)
        append(escaped: isBigEndian ? low : high)
    }

    private mutating func append(escaped byte: UInt8) {
        append(byte)
        if byte == 0 { append(0xff) }
    }

    private mutating func appendEnd() {
        append(0)
        append(1)
    }

    /// NOCASE folds only A-Z. It stops comparing at a NUL that both texts have at the same place;
    /// the longer text is then the greater one (sqlite3StrNICmp).
    private mutating func append(foldingCase text: UnsafeRawBufferPointer) {
        reserve(text.count + 1)
        for index in 0..<text.count {
            let byte = unsafe text[index]
            guard byte != 0 else {
                append(0)
                append(0xff)
                append(rowid: Int64(text.count))
                return
            }
            unsafe buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            count &+= 1
        }
        appendEnd()
    }

    private mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe buffer[count] = byte
        count &+= 1
    }

    private func invert(from start: Int) {
        for index in start..<count { unsafe buffer[index] = ~buffer[index] }
    }

    private mutating func reserve(_ extra: Int) {
        if count &+ extra > capacity { grow(extra) }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        let larger = max(Self.usualCapacity, capacity * 2, count + extra)
        let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe new.update(from: buffer, count: count)
        if capacity > 0 { unsafe buffer.deallocate() }
        unsafe buffer = new
        capacity = larger
    }
}

extension RowValues.Part {
    /// The value as bytes. Values that compare equal have equal bytes.
    package func encoded(_ component: KeyComponent) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(rowValues, index, component)
        return encoder.copy()
    }
}
