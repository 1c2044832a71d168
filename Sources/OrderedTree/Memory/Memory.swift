internal import CPrefetch
import Glibc

/// Raw memory, and how much the allocator uses for it.
enum Memory {
    private static let hugePage = 2 << 20
    private static let cacheLine = 64

    /// A block, to be freed by `free`. The process ends if there is no memory, as for the standard
    /// library's allocations.
    static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let isLarge = size >= hugePage * 2
        guard let block = unsafe isLarge ? aligned_alloc(hugePage, size) : malloc(max(size, 1)) else {
            fatalError("no memory for \(size) bytes")
        }
        // Large tables are read at random: huge pages avoid most of the address translation. The
        // advice excludes the partial page at the end, which would be held and not used.
        if isLarge { unsafe madvise(block, size & ~(hugePage - 1), MADV_HUGEPAGE) }
        return unsafe block
    }

    static func free(_ block: UnsafeMutableRawPointer) { unsafe Glibc.free(block) }

    /// Has the processor load memory into its cache while the program continues. Reads nothing.
    @inline(__always)
    static func prefetch(_ start: UnsafeRawPointer, _ size: Int) {
        var offset = 0
        while offset < size {
            unsafe fr_prefetch(start + offset)
            offset += cacheLine
        }
    }

    /// The bytes that the allocator uses for a block: its header word, its granularity of 16 bytes,
    /// its smallest block, and whole pages for blocks that it maps separately.
    static func held(_ size: Int) -> Int {
        if size >= 128 * 1024 { return (size + 16 + 4095) & ~4095 }
        return max(32, (size + 8 + 15) & ~15)
    }
}
