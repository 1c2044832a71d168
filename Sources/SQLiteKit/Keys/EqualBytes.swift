internal import Glibc

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes. `elementsEqual` compares them one by one.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let bytes = baseAddress, let others = other.baseAddress else { return true }
        return unsafe memcmp(bytes, others, count) == 0
    }
}
