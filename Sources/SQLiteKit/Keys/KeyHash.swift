/// A fast hash of byte strings for comparisons within one process. It does not resist hostile
/// input, unless the seed is secret. Equality of hashes is used only where a collision costs time,
/// or the exactness of row values whose old values are unknown. It never determines the order of a
/// list.
package enum KeyHash {
    package static func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0x9e37_79b9_7f4a_7c15) -> UInt64 {
        var hash = seed &+ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            hash = unsafe mix(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        return unsafe mix(hash ^ tail(bytes, from: offset))
    }

    package static func hash32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        unsafe UInt32(truncatingIfNeeded: hash64(bytes) >> 32)
    }

    /// The bytes after the last whole word of eight; 0 if there are none. Reads the last eight
    /// bytes, or all if there are fewer.
    private static func tail(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        if offset == bytes.count { return 0 }
        if offset > 0 { return unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self) }
        return unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

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
