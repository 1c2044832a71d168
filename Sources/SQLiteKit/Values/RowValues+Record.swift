/// How a table's rows are stored: which value of a record each column is.
package struct RecordLayout: Sendable {
    package struct Column: Sendable {
        /// The number of the value in the record.
        let position: Int
        /// Whether the column is the rowid, for which the record has NULL.
        let isRowid: Bool
        /// Whether the column has REAL affinity: an integer is stored for a real that is whole.
        let isReal: Bool

        package init(position: Int, isRowid: Bool, isReal: Bool) {
            self.position = position
            self.isRowid = isRowid
            self.isReal = isReal
        }
    }

    let columns: [Column]

    package init(columns: [Column]) { self.columns = columns }
}

extension RowValues {
    /// The columns of a stored row (https://www.sqlite.org/fileformat.html#record_format), whose texts are UTF-8.
    ///
    /// nil if the record does not have them all, because columns were added since, or is damaged.
    package init?(record: [UInt8], rowid: Int64, layout: RecordLayout) {
        let cells = record.withUnsafeBytes { bytes -> RowValues? in
            guard let stored = RecordCells(bytes) else { return nil }
            return withUnsafeTemporaryAllocation(of: Cell.self, capacity: layout.columns.count) { cells -> RowValues? in
                var byteCount = 0
                for (index, column) in layout.columns.enumerated() {
                    guard var cell = stored[column.position] else { return nil }
                    if column.isRowid { cell = Cell(storageClass: .integer, length: 0, bits: rowid) }
                    if column.isReal, cell.storageClass == .integer {
                        let real = Double(cell.bits)
                        cell = Cell(storageClass: .real, length: 0, bits: Int64(bitPattern: real.bitPattern))
                    }
                    if cell.isBytes { byteCount += Int(cell.length) + 1 }
                    cells.initializeElement(at: index, to: cell)
                }
                return RowValues(UnsafeBufferPointer(cells), byteCount: byteCount)
            }
        }
        guard let cells else { return nil }
        self = cells
    }
}

/// The values of a record, which hold the addresses of their bytes.
private struct RecordCells {
    private let cells: [RowValues.Cell]

    /// nil if the record is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var header = 0
        guard let size = Self.varint(bytes, &header), let end = Int(exactly: size), end <= bytes.count else { return nil }
        var body = end
        var cells: [RowValues.Cell] = []
        while header < end {
            guard let type = Self.varint(bytes, &header), let cell = Self.cell(type, bytes, &body) else { return nil }
            cells.append(cell)
        }
        self.cells = cells
    }

    subscript(position: Int) -> RowValues.Cell? { position < cells.count ? cells[position] : nil }

    private static func cell(_ type: Int64, _ bytes: UnsafeRawBufferPointer, _ body: inout Int) -> RowValues.Cell? {
        guard let length = length(type), length <= bytes.count - body else { return nil }
        defer { body += length }
        switch type {
        case 0: return RowValues.Cell(storageClass: .null, length: 0, bits: 0)
        case 1...6: return RowValues.Cell(storageClass: .integer, length: 0, bits: integer(bytes, body, length))
        case 7: return RowValues.Cell(storageClass: .real, length: 0, bits: integer(bytes, body, length))
        case 8, 9: return RowValues.Cell(storageClass: .integer, length: 0, bits: type - 8)
        default:
            let start = bytes.baseAddress.map { Int(bitPattern: $0 + body) } ?? 0
            return RowValues.Cell(
                storageClass: type % 2 == 0 ? .blob : .text, length: Int32(length), bits: Int64(start))
        }
    }

    /// The bytes that a value takes; nil for a type that there is not.
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

    /// A signed integer, of which the highest byte comes first.
    private static func integer(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ length: Int) -> Int64 {
        var value = Int64(Int8(bitPattern: bytes[start]))
        for index in 1..<max(1, length) { value = value << 8 | Int64(bytes[start + index]) }
        return value
    }

    private static func varint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Int64? {
        var value: UInt64 = 0
        for count in 0..<9 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            if count == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
