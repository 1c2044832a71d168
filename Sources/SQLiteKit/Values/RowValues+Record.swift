/// How a table's rows are stored: which value of a record contains each column.
package struct RecordLayout: Sendable {
    /// For each column: the number of the value in the record, whether the column is the rowid, for
    /// which the record has NULL, and whether it has REAL affinity: SQLite stores a whole real as
    /// an integer.
    let columns: [(position: Int, isRowid: Bool, isReal: Bool)]
    /// How many values of a record the columns need.
    let valueCount: Int

    package init(columns: [(position: Int, isRowid: Bool, isReal: Bool)]) {
        self.columns = columns
        valueCount = columns.reduce(0) { max($0, $1.position + 1) }
    }
}

extension RowValues {
    /// The columns of a stored row (https://www.sqlite.org/fileformat.html#record_format).
    ///
    /// nil if the record is damaged, or does not have all columns because some were added later.
    package init?(record: [UInt8], rowid: Int64, layout: RecordLayout, encoding: TextEncoding) {
        guard let stored = StoredValue.values(of: record, layout.valueCount) else { return nil }
        var values: [StoredValue] = []
        values.reserveCapacity(layout.columns.count)
        for column in layout.columns {
            guard column.position < stored.count else { return nil }
            let value = column.isRowid ? .integer(rowid) : stored[column.position].read(isReal: column.isReal)
            values.append(value.converted(from: encoding, in: record))
        }
        // SQLite has no longer text or blob, but one of UTF-16 can become longer in UTF-8.
        let byteCount = values.reduce(0) { $0 + $1.byteCount }
        guard byteCount <= Int(Int32.max) else { return nil }
        self.init(count: values.count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        unsafe record.withUnsafeBytes { bytes in
            for (index, value) in values.enumerated() { unsafe set(index, value, in: bytes, end: &end) }
        }
    }

    private func set(_ index: Int, _ value: StoredValue, in record: UnsafeRawBufferPointer, end: inout Int) {
        switch value {
        case .null: setCell(index, ValueCell(storageClass: .null, length: 0, bits: 0))
        case .integer(let integer): setCell(index, ValueCell(storageClass: .integer, length: 0, bits: integer))
        case .real(let bits): setCell(index, ValueCell(storageClass: .real, length: 0, bits: bits))
        case .text(let range): unsafe setBytes(index, .text, UnsafeRawBufferPointer(rebasing: record[range]), end: &end)
        case .converted(let text):
            unsafe text.withUnsafeBytes { unsafe setBytes(index, .text, $0, end: &end) }
        case .blob(let range): unsafe setBytes(index, .blob, UnsafeRawBufferPointer(rebasing: record[range]), end: &end)
        }
    }
}

/// A value of a record. A text or blob is represented by its place in the record.
private enum StoredValue {
    case null
    case integer(Int64)
    /// The bits of a real.
    case real(Int64)
    case text(Range<Int>)
    /// A text that was converted to UTF-8.
    case converted([UInt8])
    case blob(Range<Int>)

    /// The memory that the bytes need, with a NUL behind them.
    var byteCount: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let range), .blob(let range): range.count + 1
        case .converted(let text): text.count + 1
        }
    }

    /// The value with its text in UTF-8.
    func converted(from encoding: TextEncoding, in record: [UInt8]) -> StoredValue {
        guard case .text(let range) = self, case .utf16(let isBigEndian) = encoding else { return self }
        return .converted(utf8(ofUTF16: record[range], isBigEndian: isBigEndian))
    }

    /// The value as SQLite reads it out of a column: of REAL affinity, or of another one.
    func read(isReal: Bool) -> StoredValue {
        guard isReal, case .integer(let integer) = self else { return self }
        return .real(Int64(bitPattern: Double(integer).bitPattern))
    }

    /// The first values of a record, or all if there are fewer; nil if it is damaged.
    ///
    /// A damaged record can have one for each of its bytes.
    static func values(of record: [UInt8], _ count: Int) -> [StoredValue]? {
        var header = 0
        guard let size = record.readVarint(at: &header), let end = Int(exactly: size), 0...record.count ~= end else {
            return nil
        }
        var body = end
        var values: [StoredValue] = []
        values.reserveCapacity(count)
        while header < end, values.count < count {
            guard let type = record.readVarint(at: &header), let length = length(type), length <= record.count - body
            else { return nil }
            values.append(value(type, record, body..<body + length))
            body += length
        }
        return values
    }

    private static func value(_ type: Int64, _ record: [UInt8], _ range: Range<Int>) -> StoredValue {
        switch type {
        case 0: .null
        case 1...6: .integer(integer(record[range]))
        case 7: .real(integer(record[range]))
        case 8, 9: .integer(type - 8)
        default: type % 2 == 0 ? .blob(range) : .text(range)
        }
    }

    /// The bytes that a value takes; nil for a type that does not exist.
    private static func length(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(exactly: (type - 12) / 2).flatMap { $0 <= Int(Int32.max) ? $0 : nil }
        default: nil
        }
    }

    /// A signed integer whose highest byte comes first.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.dropFirst().reduce(Int64(Int8(bitPattern: bytes.first ?? 0))) { $0 << 8 | Int64($1) }
    }
}

extension [UInt8] {
    fileprivate func readVarint(at offset: inout Int) -> Int64? {
        unsafe withUnsafeBytes { unsafe $0.readVarint(at: &offset) }
    }
}

extension UnsafeRawBufferPointer {
    /// Reads an integer of one to nine bytes (https://www.sqlite.org/fileformat.html#varint), and
    /// moves the offset past it; nil if the bytes end before it does.
    @inline(__always)
    package func readVarint(at offset: inout Int) -> Int64? {
        if indices.contains(offset), unsafe self[offset] < 0x80 {
            defer { offset += 1 }
            return unsafe Int64(self[offset])
        }
        return unsafe readLongVarint(at: &offset)
    }

    /// One of more than a byte.
    private func readLongVarint(at offset: inout Int) -> Int64? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard indices.contains(offset) else { return nil }
            let byte = unsafe self[offset]
            offset += 1
            if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
