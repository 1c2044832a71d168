internal import CSQLite

extension RowValues {
    /// The value as text, as SQLite casts it; nil for NULL.
    package func text(_ index: Int) -> String? {
        switch storageClass(index) {
        case .null: nil
        case .integer: String(integer(index))
        case .real:
            String(
                unsafeUninitializedCapacity: 32
            ) { buffer in
                buffer.withMemoryRebound(to: CChar.self) { text in
                    fr_sqlite_text_of_real(text.baseAddress, Int32(text.count), real(index))
                }
                return buffer.firstIndex(of: 0) ?? 0
            }
        case .text, .blob: String(decoding: bytes(index), as: UTF8.self)
        }
    }
}

extension Value {
    /// The value as text, as SQLite casts it: the digits of a number, the bytes of a blob taken for UTF-8 and repaired
    /// where they are none. nil for NULL.
    public var castToText: String? { RowValues([self]).text(0) }
}
