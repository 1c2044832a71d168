extension RowValues {
    /// The values as bytes, of which `init(count:image:)` makes an equal one. Valid while the values lives.
    package var image: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }

    /// The values of `count` values out of the bytes of another; nil if these can't be the bytes of one.
    package init?(count: Int, image: UnsafeRawBufferPointer) {
        let cells = count.multipliedReportingOverflow(by: MemoryLayout<Cell>.stride)
        guard count >= 0, !cells.overflow, cells.partialValue <= image.count else { return nil }
        self.init(count: count, byteCount: image.count - cells.partialValue)
        if let start = image.baseAddress { base.copyMemory(from: start, byteCount: image.count) }
        for index in 0..<count where isBytes(index) {
            let cell = cell(index)
            // The bytes lie behind the cells, with a NUL after them.
            guard cell.length >= 0, cell.bits >= Int64(cells.partialValue), cell.bits < Int64(image.count),
                Int64(cell.length) < Int64(image.count) - cell.bits, image[Int(cell.bits) + Int(cell.length)] == 0
            else { return nil }
        }
    }
}
