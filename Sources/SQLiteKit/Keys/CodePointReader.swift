/// Reads the code points of a text in UTF-8 that SQLite made, lone halves of surrogate pairs included, which a Swift
/// string would replace.
struct CodePointReader {
    private let text: UnsafeRawBufferPointer
    private var offset = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// The next code point; nil at the end.
    mutating func next() -> UInt32? {
        guard offset < text.count else { return nil }
        let first = UInt32(text[offset])
        offset += 1
        if first < 0xc0 { return first }
        var point = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07)
        while offset < text.count, text[offset] & 0xc0 == 0x80 {
            point = (point << 6 | UInt32(text[offset] & 0x3f)) & 0x1f_ffff
            offset += 1
        }
        return point
    }
}
