extension KeyEncoder {
    /// Appends the first of the row values that were packed there, one for each component.
    package mutating func append(packed start: UnsafeRawPointer, _ components: [KeyComponent]) {
        var reader = unsafe RowValues.PackedReader(start)
        let count = unsafe reader.readCount()
        for component in components.prefix(count) {
            let value = unsafe reader.readValue()
            unsafe append(
                value.storageClass, value.bits, Double(bitPattern: UInt64(bitPattern: value.bits)),
                value.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), component.form)
        }
    }
}
