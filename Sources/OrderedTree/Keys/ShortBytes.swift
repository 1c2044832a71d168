/// A copy of a few bytes, which is allocated only if they are more than 24.
struct ShortBytes: Equatable, Sendable {
    private static let inlineCount = 24

    private var words: [3 of UInt64]
    private let long: [UInt8]?
    let count: Int

    /// O(bytes).
    init(_ bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        words = [0, 0, 0]
        guard count <= Self.inlineCount else {
            long = unsafe [UInt8](bytes)
            return
        }
        long = nil
        unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.copyMemory(from: bytes) }
    }

    var array: [UInt8] {
        if let long { return long }
        return unsafe withUnsafeBytes(of: words) { unsafe [UInt8]($0.prefix(count)) }
    }

    static func == (first: ShortBytes, second: ShortBytes) -> Bool { first.array == second.array }
}
