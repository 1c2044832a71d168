internal import SQLiteKit

/// Texts and values that a program was given pointers to, each stored once. Texts are distinguished by
/// their bytes, as Unicode calls some equivalent that are spelled otherwise.
struct LentStrings {
    private var texts: [[UInt8]: CString] = [:]
    private var records: [[UInt8]: RowValues] = [:]

    /// A text that stays at one address as long as this lives.
    mutating func lend(_ text: String) -> CString {
        let bytes = [UInt8](text.utf8)
        if let known = texts[bytes] { return known }
        let new = CString(text)
        texts[bytes] = new
        return new
    }

    /// A record equal to the given one that stays at one address.
    mutating func lend(_ rowValues: RowValues) -> RowValues {
        let bytes = [UInt8](rowValues.image)
        if let known = records[bytes] { return known }
        records[bytes] = rowValues
        return rowValues
    }
}
