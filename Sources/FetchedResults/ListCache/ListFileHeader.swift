internal import SQLiteKit

/// The beginning of a list's file.
struct ListFileHeader {
    /// The state of the database to which the list belongs.
    var state: StateMark
    /// The hash of the list's other dependencies, which the file contains in full before the list.
    let signatureHash: UInt64
    let bodyHash: UInt64
    let bodyLength: UInt64

    var contents: ListCache.Contents { ListCache.Contents(signatureHash: signatureHash, bodyHash: bodyHash) }

    static let size = 256

    /// In the byte order and the version of the file.
    private static let magic: UInt64 = 0x4652_4c49_5354_0006

    init(state: StateMark, signatureHash: UInt64, bodyHash: UInt64, bodyLength: UInt64) {
        self.state = state
        self.signatureHash = signatureHash
        self.bodyHash = bodyHash
        self.bodyLength = bodyLength
    }

    /// The bytes of the header, always `size` of them.
    var bytes: [UInt8] {
        var numbers = [Self.magic, signatureHash, bodyHash, bodyLength] + state.numbers
        numbers.append(Self.hash(numbers))
        numbers += Array(repeating: 0, count: Self.size / 8 - numbers.count)
        return unsafe numbers.withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// nil if these are not the bytes of a complete header.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let numbers = unsafe bytes.withUnsafeBytes { bytes in
            (0..<Self.size / 8).map { unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
        let count = 4 + StateMark.numberCount
        guard numbers[0] == Self.magic, numbers[count] == Self.hash(Array(numbers[..<count])) else { return nil }
        self.init(
            state: StateMark(numbers: Array(numbers[4..<count])), signatureHash: numbers[1], bodyHash: numbers[2],
            bodyLength: numbers[3])
    }

    private static func hash(_ numbers: [UInt64]) -> UInt64 {
        unsafe numbers.withUnsafeBytes { unsafe KeyHash.hash64($0) }
    }
}
