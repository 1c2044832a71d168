import Glibc

/// Hands out raw memory and counts what the allocator really holds for it.
struct MemoryGauge {
    private static let hugePage = 2 << 20

    private(set) var bytes = 0

    mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        bytes += MemoryGauge.held(size)
        guard size >= MemoryGauge.hugePage * 2 else {
            return UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 8)
        }
        // Large tables are read at random: huge pages spare most of the address translation. The
        // advice does not reach the part of a page at the end, which would be held and not used.
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryGauge.hugePage)
        madvise(block, size & ~(MemoryGauge.hugePage - 1), MADV_HUGEPAGE)
        return block
    }

    mutating func free(_ block: UnsafeMutableRawPointer, size: Int) {
        bytes -= MemoryGauge.held(size)
        block.deallocate()
    }

    /// Moves the first `used` bytes of a block of `old` bytes into one of `size` bytes.
    mutating func resize(
        _ block: UnsafeMutableRawPointer?, of old: Int, used: Int, to size: Int
    ) -> UnsafeMutableRawPointer {
        let other = allocate(size)
        if let block {
            other.copyMemory(from: block, byteCount: used)
            free(block, size: old)
        }
        return other
    }

    /// The allocator's header word, its grain of 16 bytes, its least block, and whole pages for
    /// blocks that it maps on their own.
    private static func held(_ size: Int) -> Int {
        if size >= 128 * 1024 { return (size + 16 + 4095) & ~4095 }
        return max(32, (size + 8 + 15) & ~15)
    }
}

/// Capacities of the small blocks: they grow by half, so that little lies idle.
enum BlockSize {
    static func step(for count: Int, limit: Int) -> Int {
        min(limit, max(4, (count + count / 2 + 3) & ~3))
    }
}
