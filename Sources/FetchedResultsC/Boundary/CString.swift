internal import Glibc

/// A NUL-terminated string that stays at one address.
final class CString {
    let pointer: UnsafePointer<CChar>
    /// In bytes, without the NUL.
    let count: Int

    init(_ text: String) {
        var text = text
        let copy = text.withUTF8 { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[bytes.count] = 0
            return (UnsafePointer(copy), bytes.count)
        }
        (pointer, count) = copy
    }

    deinit { pointer.deallocate() }
}
