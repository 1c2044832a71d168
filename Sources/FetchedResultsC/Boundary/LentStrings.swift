internal import Glibc
internal import SQLiteKit

/// Texts and values that a program has pointers to, each stored once. Texts are compared by their
/// bytes, as Unicode treats some differently spelled texts as equivalent.
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
        let bytes = unsafe [UInt8](rowValues.image)
        if let known = records[bytes] { return known }
        records[bytes] = rowValues
        return rowValues
    }
}

/// A NUL-terminated string that stays at one address. It is safe except for that address: it owns
/// the memory.
@safe final class CString {
    let pointer: UnsafePointer<CChar>
    /// In bytes, without the NUL.
    let count: Int

    init(_ text: String) {
        var text = text
        let copy = text.withUTF8 { bytes in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            for index in bytes.indices { unsafe copy[index] = CChar(bitPattern: bytes[index]) }
            unsafe copy[bytes.count] = 0
            return unsafe (UnsafePointer(copy), bytes.count)
        }
        unsafe (pointer, count) = copy
    }

    deinit { unsafe pointer.deallocate() }
}

/// An array that C programs borrow: it stays at one address. It is safe except for that address: it
/// owns the memory.
@safe final class LentArray<Element> {
    let values: UnsafeMutableBufferPointer<Element>

    init(_ elements: some Collection<Element>) {
        unsafe values = .allocate(capacity: elements.count)
        _ = unsafe values.initialize(fromContentsOf: elements)
    }

    deinit {
        unsafe values.deinitialize()
        unsafe values.deallocate()
    }
}
