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

    /// Whether it has the bytes of a text: Unicode treats some differently spelled texts as
    /// equivalent.
    func hasBytes(of text: String) -> Bool {
        unsafe text.utf8.elementsEqual(UnsafeRawBufferPointer(start: pointer, count: count))
    }
}

extension UnsafeMutableBufferPointer {
    /// Memory for a number of elements, also for none: valgrind reports an allocation of no bytes.
    static func memory(for count: Int) -> UnsafeMutableBufferPointer {
        unsafe UnsafeMutableBufferPointer(start: .allocate(capacity: Swift.max(count, 1)), count: count)
    }
}

/// An array that C programs borrow: it stays at one address. It is safe except for that address: it
/// owns the memory.
@safe final class LentArray<Element> {
    let values: UnsafeMutableBufferPointer<Element>
    private let owner: Any?

    /// - Parameter owner: Owns the memory to which the elements refer.
    init(_ elements: some Collection<Element>, owner: Any? = nil) {
        self.owner = owner
        unsafe values = .memory(for: elements.count)
        _ = unsafe values.initialize(fromContentsOf: elements)
    }

    deinit {
        unsafe values.deinitialize()
        unsafe values.deallocate()
    }
}
