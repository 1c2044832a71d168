/// A key in an arena. Its bytes are valid as long as that.
@safe package struct ArenaKey {
    package let bytes: UnsafeRawBufferPointer

    fileprivate init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }
}

/// Copies of keys, which are freed together: the allocator is called once for many of them. A key
/// never moves.
@safe package struct KeyArena: ~Copyable {
    /// The chunk that is being filled; each begins with the address of the one before.
    private var chunk = unsafe UnsafeMutableRawPointer?.none
    private var chunkSize = 0
    private var used = 0

    private static let linkSize = unsafe MemoryLayout<UnsafeMutableRawPointer?>.size
    private static let leastSize = 256
    private static let greatestSize = 64 << 10

    /// An arena that has no memory until it is used.
    package init() {}

    deinit {
        var next = unsafe chunk
        while let chunk = unsafe next {
            unsafe next = chunk.load(as: UnsafeMutableRawPointer?.self)
            unsafe Memory.free(chunk)
        }
    }

    /// Copies a key. O(bytes), amortised.
    package mutating func copy(_ key: UnsafeRawBufferPointer) -> ArenaKey {
        if chunkSize - used < key.count { addChunk(for: key.count) }
        guard let chunk = unsafe chunk else { return unsafe ArenaKey(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let copy = unsafe UnsafeMutableRawBufferPointer(start: chunk + used, count: key.count)
        unsafe copy.copyMemory(from: key)
        used += key.count
        return unsafe ArenaKey(UnsafeRawBufferPointer(copy))
    }

    @inline(never)
    private mutating func addChunk(for count: Int) {
        let size = max(min(max(Self.leastSize, chunkSize * 2), Self.greatestSize), Self.linkSize + count)
        let new = unsafe Memory.allocate(size)
        unsafe new.storeBytes(of: chunk, as: UnsafeMutableRawPointer?.self)
        unsafe chunk = new
        (chunkSize, used) = (size, Self.linkSize)
    }
}
