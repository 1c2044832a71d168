/// How one value takes part in an order.
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

/// The same without anything that is counted: what the inner loops carry about. Valid as long as the component.
struct KeyForm {
    enum Text {
        case plain
        case utf16(isBigEndian: Bool)
        case foldedCase
        case trimmed
        case locale(Unmanaged<Locale>)
    }

    let text: Text
    let isDescending: Bool
    let nullsFirst: Bool
}

extension KeyComponent {
    var form: KeyForm {
        let text: KeyForm.Text =
            switch collation {
            case .binary, .custom: .plain
            case .binaryUTF16(let isBigEndian): .utf16(isBigEndian: isBigEndian)
            case .nocase: .foldedCase
            case .rtrim: .trimmed
            case .locale(let locale): .locale(Unmanaged.passUnretained(locale))
            }
        return KeyForm(text: text, isDescending: isDescending, nullsFirst: nullsFirst)
    }
}
