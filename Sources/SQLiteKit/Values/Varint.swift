/// Integers of one to nine bytes (https://www.sqlite.org/fileformat.html#varint).
package enum Varint {
    /// Reads one, and moves the offset behind it; nil if the bytes end before it does.
    package static func read(_ bytes: [UInt8], _ offset: inout Int) -> Int64? {
        var value: UInt64 = 0
        for count in 0..<9 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            if count == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
