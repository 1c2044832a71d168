/// How one value contributes to an order.
package struct KeyComponent: Equatable, Sendable {
    package var collation: Collation
    package var isDescending: Bool
    package var nullsFirst: Bool

    package init(collation: Collation = .binary, isDescending: Bool = false, nullsFirst: Bool? = nil) {
        self.collation = collation
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst ?? !isDescending
    }
}

/// The same without references, for inner loops. Unsafe, because it is valid only as long as the
/// component.
@unsafe struct KeyForm {
    @unsafe enum Text {
        case plain
        case utf16(isBigEndian: Bool)
        case foldedCase
        case trimmed
        case locale(Unmanaged<Locale>)
    }

    let text: Text
    @safe let isDescending: Bool
    @safe let nullsFirst: Bool

    /// Whether texts are compared by their bytes, the least first.
    @inline(__always)
    var isPlain: Bool {
        if case .plain = unsafe text { return !isDescending }
        return false
    }
}

extension KeyComponent {
    var form: KeyForm {
        let text: KeyForm.Text =
            switch collation {
            case .binary, .custom, .missing: unsafe .plain
            case .binaryUTF16(let isBigEndian): unsafe .utf16(isBigEndian: isBigEndian)
            case .nocase: unsafe .foldedCase
            case .rtrim: unsafe .trimmed
            case .locale(let locale): unsafe .locale(Unmanaged.passUnretained(locale))
            }
        return unsafe KeyForm(text: text, isDescending: isDescending, nullsFirst: nullsFirst)
    }
}
