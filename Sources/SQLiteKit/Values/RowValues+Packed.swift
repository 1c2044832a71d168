/// Row values in as few bytes as possible: their count, then the tag and bytes of each value.
extension RowValues {
    /// Tags of packed values; an integer's is the number of its bytes.
    private static let nullTag: UInt8 = 0
    private static let realTag: UInt8 = 9
    private static let textTag: UInt8 = 10
    private static let blobTag: UInt8 = 11

    /// Appends the values.
    package func pack(into bytes: inout [UInt8]) {
        Self.pack(count: count, into: &bytes) { index in
            let cell = cell(index)
            guard cell.isBytes else { return cell }
            let start = unsafe base + Int(cell.bits)
            return ValueCell(storageClass: cell.storageClass, length: cell.length, bits: Int64(Int(bitPattern: start)))
        }
    }

    /// Appends values whose cells have the addresses of their bytes.
    static func pack(count: Int, into bytes: inout [UInt8], _ addressedCell: (Int) -> ValueCell) {
        append(count, to: &bytes)
        for index in 0..<count {
            let cell = addressedCell(index)
            switch cell.storageClass {
            case .null: bytes.append(nullTag)
            case .integer: append(cell.bits, to: &bytes)
            case .real:
                bytes.append(realTag)
                unsafe withUnsafeBytes(of: cell.bits) { unsafe bytes.append(contentsOf: $0) }
            case .text, .blob:
                bytes.append(cell.storageClass == .text ? textTag : blobTag)
                append(Int(cell.length), to: &bytes)
                unsafe bytes.append(contentsOf: cell.addressed)
            }
        }
    }

    private static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        let significant = 64 - (integer < 0 ? ~integer : integer).leadingZeroBitCount + 1
        let count = (significant + 7) / 8
        bytes.append(UInt8(truncatingIfNeeded: count))
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * index))) }
    }

    /// Seven bits per byte, the lowest first.
    private static func append(_ count: Int, to bytes: inout [UInt8]) {
        var rest = count
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7f | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The row values that were packed there.
    package init(packed start: UnsafeRawPointer) {
        var reader = unsafe PackedReader(start)
        let count = unsafe reader.readCount()
        var byteCount = 0
        var scan = unsafe reader
        for _ in 0..<count {
            let value = unsafe scan.readValue()
            if let bytes = unsafe value.bytes { byteCount += bytes.count + 1 }
        }
        self.init(count: count, byteCount: byteCount)
        var end = count * MemoryLayout<ValueCell>.stride
        for index in 0..<count {
            let value = unsafe reader.readValue()
            if let bytes = unsafe value.bytes {
                unsafe setBytes(index, value.storageClass, bytes, end: &end)
            } else {
                unsafe setCell(index, ValueCell(storageClass: value.storageClass, length: 0, bits: value.bits))
            }
        }
    }

    /// How many bytes the row values that were packed there take.
    package static func packedCount(at start: UnsafeRawPointer) -> Int {
        var reader = unsafe PackedReader(start)
        for _ in unsafe 0..<reader.readCount() { _ = unsafe reader.readValue() }
        return unsafe reader.place - start
    }

    /// Reads what `pack` wrote. Unsafe, because it relies on that.
    @unsafe struct PackedReader {
        private(set) var place: UnsafeRawPointer

        init(_ start: UnsafeRawPointer) { unsafe place = start }

        private mutating func readByte() -> UInt8 {
            defer { unsafe place += 1 }
            return unsafe place.load(as: UInt8.self)
        }

        mutating func readCount() -> Int {
            var (count, shift) = (0, 0)
            while true {
                let byte = unsafe readByte()
                count |= Int(byte & 0x7f) << shift
                if byte < 0x80 { return count }
                shift += 7
            }
        }

        /// A value: its bits, or its bytes if it is a text or blob.
        mutating func readValue() -> (storageClass: StorageClass, bits: Int64, bytes: UnsafeRawBufferPointer?) {
            let tag = unsafe readByte()
            switch tag {
            case RowValues.nullTag: return (.null, 0, nil)
            case RowValues.realTag:
                defer { unsafe place += 8 }
                return unsafe (.real, place.loadUnaligned(as: Int64.self), nil)
            case RowValues.textTag, RowValues.blobTag:
                let count = unsafe readCount()
                defer { unsafe place += count }
                return unsafe (
                    tag == RowValues.textTag ? .text : .blob, 0, UnsafeRawBufferPointer(start: place, count: count)
                )
            default:
                var bits: Int64 = 0
                for index in 0..<Int64(tag) { unsafe bits |= Int64(readByte()) << (8 * index) }
                let unused = 64 - 8 * Int64(tag)
                return (.integer, (bits << unused) >> unused, nil)
            }
        }
    }
}

extension RowValues {
    /// The integer that was packed there as the last value.
    package static func lastPackedInteger(at start: UnsafeRawPointer) -> Int64 {
        var reader = unsafe PackedReader(start)
        var last: Int64 = 0
        for _ in unsafe 0..<reader.readCount() { last = unsafe reader.readValue().bits }
        return last
    }

    /// The row values as bytes, from which `init(count:image:)` makes equal ones. Valid as long as
    /// the row values.
    package var image: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: size) }

    /// Row values of `count` values out of the bytes of other row values; nil if these can't be the
    /// bytes of row values.
    package init?(count: Int, image: UnsafeRawBufferPointer) {
        let cells = count.multipliedReportingOverflow(by: MemoryLayout<ValueCell>.stride)
        guard count >= 0, !cells.overflow, cells.partialValue <= image.count else { return nil }
        self.init(count: count, byteCount: image.count - cells.partialValue)
        if let start = image.baseAddress { unsafe base.copyMemory(from: start, byteCount: image.count) }
        for index in 0..<count where isBytes(index) {
            let cell = cell(index)
            // The bytes are behind the cells, with a NUL after them.
            guard cell.length >= 0, cell.bits >= Int64(cells.partialValue), cell.bits < Int64(image.count),
                Int64(cell.length) < Int64(image.count) - cell.bits,
                unsafe image[Int(cell.bits) + Int(cell.length)] == 0
            else { return nil }
        }
    }
}
