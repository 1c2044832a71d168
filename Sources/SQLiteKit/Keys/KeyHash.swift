/// A fast hash of byte strings for comparisons within one process. It does not resist hostile
/// input, unless the seed is secret. Equality of hashes is used only where a collision costs time,
/// or the exactness of row values whose old values are unknown. It never determines the order of a
/// list.
package enum KeyHash {
    private static let seed: UInt64 = 0x9e37_79b9_7f4a_7c15

    package static func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = KeyHash.seed) -> UInt64 {
        var hash = seed &+ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            hash = unsafe mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        return unsafe mix(hash ^ tail(bytes, from: offset))
    }

    /// Another hash, several times as fast for many bytes: four hashes of every fourth word each,
    /// which the processor computes at the same time.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var (first, second): (UInt64, UInt64) = (0x9e37_79b9_7f4a_7c15, 0xe703_7ed1_a0b4_28db)
        var (third, fourth): (UInt64, UInt64) = (0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3)
        var offset = 0
        while offset &+ 32 <= bytes.count {
            first = unsafe mix(first ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            second = unsafe mix(second ^ bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            third = unsafe mix(third ^ bytes.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
            fourth = unsafe mix(fourth ^ bytes.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
            offset &+= 32
        }
        let seed = mix(mix(mix(first) ^ second) ^ third) ^ fourth
        return unsafe hash64(UnsafeRawBufferPointer(rebasing: bytes[offset...]), seed: seed)
    }

    package static func hash32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        unsafe UInt32(truncatingIfNeeded: hash64(bytes) >> 32)
    }

    /// `hash32` of the key that consists of a rowid alone, which `KeyEncoder.append(rowid:)` makes.
    @inline(__always)
    static func hash32(rowid: Int64) -> UInt32 {
        let key = UInt64(bitPattern: rowid ^ .min).bigEndian
        return UInt32(truncatingIfNeeded: mix(mix((seed &+ 8) ^ key)) >> 32)
    }

    /// The bytes after the last whole word of eight; 0 if there are none. Reads the last eight
    /// bytes, or all if there are fewer.
    private static func tail(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        if offset == bytes.count { return 0 }
        if offset > 0 { return unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self) }
        return unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        return product.high ^ product.low
    }
}

extension RowValues {
    /// A hash of all values. Equal values have equal hashes within one process.
    package var fingerprint: UInt64 {
        unsafe KeyHash.hash64(UnsafeRawBufferPointer(start: base, count: size))
    }
}
