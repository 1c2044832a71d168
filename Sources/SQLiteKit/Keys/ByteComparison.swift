internal import Glibc

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes. `elementsEqual` compares them one by one.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let bytes = baseAddress, let others = other.baseAddress else { return true }
        return unsafe memcmp(bytes, others, count) == 0
    }

    /// Whether these bytes sort before others, as plain bytes.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let shared = Swift.min(count, other.count)
        guard shared > 0, let bytes = baseAddress, let others = other.baseAddress else {
            return count < other.count
        }
        let order = unsafe memcmp(bytes, others, shared)
        return order < 0 || order == 0 && count < other.count
    }
}
