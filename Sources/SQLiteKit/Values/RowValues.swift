internal import CSQLite
internal import Glibc

/// The values of a row (or of some columns of it), packed into one allocation and immutable.
///
/// Text and blobs are behind a table of fixed cells, each followed by a NUL. C programs can
/// therefore be given pointers into it that are valid as long as the values, or a copy of them.
/// Text is stored as the bytes that SQLite returned, valid UTF-8 or not.
package struct RowValues: @unchecked Sendable {
    /// Without padding, so that the bytes of equal values are equal.
    struct ValueCell {
        private let tag: UInt32
        let length: Int32
        /// An integer, the bits of a real, or the offset of the bytes. While row values are read,
        /// the address of the bytes.
        let bits: Int64

        init(storageClass: StorageClass, length: Int32, bits: Int64) {
            tag = UInt32(storageClass.rawValue)
            self.length = length
            self.bits = bits
        }

        init(reading value: ValueReader) {
            let storageClass = unsafe value.storageClass
            switch storageClass {
            case .null: self.init(storageClass: .null, length: 0, bits: 0)
            case .integer: unsafe self.init(storageClass: .integer, length: 0, bits: value.integer)
            case .real: unsafe self.init(storageClass: .real, length: 0, bits: Int64(bitPattern: value.real.bitPattern))
            case .text, .blob:
                let bytes = unsafe value.bytes(storageClass)
                self.init(
                    storageClass: storageClass, length: Int32(bytes.count),
                    bits: Int64(Int(bitPattern: bytes.baseAddress)))
            }
        }

        var storageClass: StorageClass { StorageClass(rawValue: UInt8(truncatingIfNeeded: tag)) ?? .null }
        var isBytes: Bool { storageClass == .text || storageClass == .blob }

        /// The bytes of a cell that holds their address.
        var addressed: UnsafeRawBufferPointer {
            unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: Int(bits)), count: Int(length))
        }
    }

    /// The cells, followed by the bytes, in whole cells.
    private let storage: ManagedBuffer<(count: Int, size: Int), ValueCell>

    package var count: Int { storage.header.count }
    var size: Int { storage.header.size }
    /// The memory that the row values take, without what the allocator adds.
    package var byteCount: Int { size + 2 * MemoryLayout<(count: Int, size: Int)>.stride }
    /// Valid as long as the row values: the storage of a class never moves.
    var base: UnsafeMutableRawPointer {
        unsafe storage.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    }

    /// Row values of `count` values, whose text and blob bytes need at most `byteCount` bytes with
    /// their NULs.
    init(count: Int, byteCount: Int) {
        let size = count * MemoryLayout<ValueCell>.stride + byteCount
        let cells = (size + MemoryLayout<ValueCell>.stride - 1) / MemoryLayout<ValueCell>.stride
        storage = ManagedBuffer.create(minimumCapacity: cells) { _ in (count, size) }
    }

    /// Row values of values from SQLite. Each value is read once.
    init(count: Int, reader: (Int) -> ValueReader) {
        self = unsafe withUnsafeTemporaryAllocation(of: ValueCell.self, capacity: count) { cells in
            var byteCount = 0
            for index in 0..<count {
                let cell = unsafe ValueCell(reading: reader(index))
                if cell.isBytes { byteCount += Int(cell.length) + 1 }
                unsafe cells.initializeElement(at: index, to: cell)
            }
            return unsafe RowValues(UnsafeBufferPointer(cells), byteCount: byteCount)
        }
    }

    /// Row values of cells that still contain the addresses of their bytes.
    private init(_ cells: UnsafeBufferPointer<ValueCell>, byteCount: Int) {
        self.init(count: cells.count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        for index in 0..<cells.count {
            let cell = unsafe cells[index]
            if cell.isBytes {
                unsafe setBytes(index, cell.storageClass, cell.addressed, end: &end)
            } else {
                setCell(index, cell)
            }
        }
    }

    /// Row values of the given values.
    package init(_ values: [Value]) {
        var byteCount = 0
        for value in values {
            switch value {
            case .text(let text): byteCount += text.utf8.count + 1
            case .blob(let bytes): byteCount += bytes.count + 1
            case .null, .integer, .real: break
            }
        }
        self.init(count: values.count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        for (index, value) in values.enumerated() {
            switch value {
            case .null: setCell(index, ValueCell(storageClass: .null, length: 0, bits: 0))
            case .integer(let integer): setCell(index, ValueCell(storageClass: .integer, length: 0, bits: integer))
            case .real(let real):
                setCell(index, ValueCell(storageClass: .real, length: 0, bits: Int64(bitPattern: real.bitPattern)))
            case .text(var text): text.withUTF8 { unsafe setBytes(index, .text, UnsafeRawBufferPointer($0), end: &end) }
            case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe setBytes(index, .blob, $0, end: &end) }
            }
        }
    }

    /// The columns of `rowValues` whose numbers are in `columns`, in that order.
    package init(_ rowValues: RowValues, columns: [Int]) {
        let byteCount = columns.reduce(0) { unsafe rowValues.isBytes($1) ? $0 + rowValues.bytes($1).count + 1 : $0 }
        self.init(count: columns.count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        for (index, column) in columns.enumerated() { set(index, rowValues, column, end: &end) }
    }

    /// A value of other row values.
    package struct Part {
        package let rowValues: RowValues
        package let index: Int

        package init(_ rowValues: RowValues, _ index: Int) {
            self.rowValues = rowValues
            self.index = index
        }

        package static var null: Part { Part(RowValues([.null]), 0) }
    }

    /// Row values of values of other row values.
    package init(parts: [Part]) {
        let byteCount = parts.reduce(0) {
            unsafe $1.rowValues.isBytes($1.index) ? $0 + $1.rowValues.bytes($1.index).count + 1 : $0
        }
        self.init(count: parts.count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        for (index, part) in parts.enumerated() { set(index, part.rowValues, part.index, end: &end) }
    }

    private func set(_ index: Int, _ other: RowValues, _ otherIndex: Int, end: inout Int) {
        if other.isBytes(otherIndex) {
            unsafe setBytes(index, other.storageClass(otherIndex), other.bytes(otherIndex), end: &end)
        } else {
            setCell(index, other.cell(otherIndex))
        }
    }

    func setCell(_ index: Int, _ cell: ValueCell) {
        assert(index >= 0 && index < count, "no such value")
        unsafe base.storeBytes(of: cell, toByteOffset: index * MemoryLayout<ValueCell>.stride, as: ValueCell.self)
    }

    func setBytes(_ index: Int, _ storageClass: StorageClass, _ bytes: UnsafeRawBufferPointer, end: inout Int) {
        setCell(index, ValueCell(storageClass: storageClass, length: Int32(bytes.count), bits: Int64(end)))
        if let start = bytes.baseAddress {
            unsafe base.advanced(by: end).copyMemory(from: start, byteCount: bytes.count)
        }
        unsafe base.storeBytes(of: 0, toByteOffset: end + bytes.count, as: UInt8.self)
        end += bytes.count + 1
    }

    /// Release builds do not check the index, because the check would cost time at every access to
    /// a row. The index is always valid: it names a column among the ones from which the row
    /// values were made.
    func cell(_ index: Int) -> ValueCell {
        assert(index >= 0 && index < count, "no such value")
        return unsafe base.load(fromByteOffset: index * MemoryLayout<ValueCell>.stride, as: ValueCell.self)
    }

    func isBytes(_ index: Int) -> Bool {
        let storageClass = storageClass(index)
        return storageClass == .text || storageClass == .blob
    }
}

extension RowValues {
    /// The values without a reference to them, which many reads would count. Valid as long as the
    /// row values.
    package var unretained: UnretainedValues { unsafe UnretainedValues(base: base, count: count) }
}

/// Values of a row whose memory belongs to another object.
@unsafe package struct UnretainedValues {
    fileprivate let base: UnsafeRawPointer
    package let count: Int

    private func cell(_ index: Int) -> RowValues.ValueCell {
        assert(unsafe index >= 0 && index < count, "no such value")
        return unsafe base.load(
            fromByteOffset: index * MemoryLayout<RowValues.ValueCell>.stride, as: RowValues.ValueCell.self)
    }

    package func storageClass(_ index: Int) -> StorageClass { unsafe cell(index).storageClass }

    /// The integer at `index`, or the bits of the real.
    package func bits(_ index: Int) -> Int64 { unsafe cell(index).bits }

    /// The bytes of the text or blob at `index`.
    package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        let cell = unsafe cell(index)
        return unsafe UnsafeRawBufferPointer(start: base + Int(cell.bits), count: Int(cell.length))
    }
}

extension RowValues {
    package func storageClass(_ index: Int) -> StorageClass { cell(index).storageClass }

    /// The integer at `index`; 0 if the value is not an integer.
    package func integer(_ index: Int) -> Int64 {
        let cell = cell(index)
        return cell.storageClass == .integer ? cell.bits : 0
    }

    /// The real at `index`; 0 if the value is not a real.
    package func real(_ index: Int) -> Double {
        let cell = cell(index)
        return cell.storageClass == .real ? Double(bitPattern: UInt64(bitPattern: cell.bits)) : 0
    }

    /// The bytes of the text or blob at `index`, followed by a NUL; empty for other values. Valid
    /// as long as the row values.
    package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        guard isBytes(index) else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        let cell = cell(index)
        return unsafe UnsafeRawBufferPointer(start: base + Int(cell.bits), count: Int(cell.length))
    }

    package func value(_ index: Int) -> Value {
        switch storageClass(index) {
        case .null: .null
        case .integer: .integer(integer(index))
        case .real: .real(real(index))
        case .text: unsafe .text(String(decoding: bytes(index), as: UTF8.self))
        case .blob: unsafe .blob([UInt8](bytes(index)))
        }
    }

    package var values: [Value] { (0..<count).map(value) }

    /// Whether two values are identical: same storage class, same bits.
    package func isSame(_ index: Int, as other: RowValues, _ otherIndex: Int) -> Bool {
        let a = cell(index)
        let b = other.cell(otherIndex)
        guard a.storageClass == b.storageClass else { return false }
        guard isBytes(index) else { return a.bits == b.bits }
        return unsafe a.length == b.length && memcmp(base + Int(a.bits), other.base + Int(b.bits), Int(a.length)) == 0
    }

    /// The same for a value of SQLite.
    func isSame(_ index: Int, as value: ValueReader) -> Bool {
        let a = cell(index)
        let b = unsafe ValueCell(reading: value)
        guard a.storageClass == b.storageClass else { return false }
        guard a.isBytes else { return a.bits == b.bits }
        return unsafe bytes(index).elementsEqual(b.addressed)
    }
}

extension RowValues {
    /// The value as text, as SQLite casts it; nil for NULL.
    package func text(_ index: Int) -> String? {
        switch storageClass(index) {
        case .null: nil
        case .integer: String(integer(index))
        case .real:
            unsafe String(
                unsafeUninitializedCapacity: 32
            ) { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    unsafe fr_sqlite_text_of_real(text.baseAddress, Int32(text.count), real(index))
                }
                return unsafe buffer.firstIndex(of: 0) ?? 0
            }
        case .text, .blob: unsafe String(decoding: bytes(index), as: UTF8.self)
        }
    }
}
