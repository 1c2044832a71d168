/// The identity of a row as lists store it: a byte that shows whether it ends in the rowid, which
/// replaces a declared key with NULL, and the packed values. No identity begins with another one.
///
/// Unsafe: it relies on the bytes, and is valid as long as they are.
@unsafe package struct PackedIdentity {
    private let start: UnsafeRawPointer

    package init(_ start: UnsafeRawPointer) { unsafe self.start = start }

    private var isRowid: Bool { unsafe start.load(as: UInt8.self) == 1 }
    private var packedValues: UnsafeRawPointer { unsafe start + 1 }

    /// The rowid if it replaces a declared key.
    package var rowid: Int64? { unsafe isRowid ? RowValues.lastPackedInteger(at: packedValues) : nil }
    package var values: RowValues { unsafe RowValues(packed: packedValues) }
    package var byteCount: Int { unsafe 1 + RowValues.packedCount(at: packedValues) }

    /// Appends the key by which the identity is found.
    ///
    /// - Parameter components: How the values of a declared key compare.
    package func encode(_ components: [KeyComponent], into key: inout KeyEncoder) {
        if let rowid = unsafe rowid {
            key.append(standInRowid: rowid)
        } else {
            unsafe key.append(packed: packedValues, components)
        }
    }
}

/// The identity of a row whose declared key holds NULL: a NULL for each column of the key, then the
/// rowid. It has one value more than a key, so that it never equals the identity of another row,
/// and nothing in it changes as long as the key holds NULL.
extension RowValues {
    /// - Parameter keyCount: The number of the key's columns.
    package init(standInRowid rowid: Int64, keyCount: Int) {
        self.init(Array(repeating: .null, count: keyCount) + [.integer(rowid)])
    }

    /// The rowid of such an identity; nil if it is another one.
    package func standInRowid(keyCount: Int) -> Int64? {
        guard count == keyCount + 1, storageClass(keyCount) == .integer,
            (0..<keyCount).allSatisfy({ storageClass($0) == .null })
        else { return nil }
        return integer(keyCount)
    }
}

extension RowValues {
    /// Appends the values as a `PackedIdentity`.
    ///
    /// - Parameter isRowid: Whether the last one is the rowid, which replaces a declared key.
    package func packIdentity(isRowid: Bool, into bytes: inout [UInt8]) {
        bytes.append(isRowid ? 1 : 0)
        pack(into: &bytes)
    }
}

extension KeyColumns {
    /// Appends the key of the current row as a `PackedIdentity`.
    func packIdentity(_ row: ResultRow, into bytes: inout [UInt8]) {
        bytes.append(0)
        unsafe pack(row, into: &bytes)
    }
}
