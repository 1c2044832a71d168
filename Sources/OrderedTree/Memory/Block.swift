/// Memory for `capacity` elements, which the holder of the block owns, and which is freed with the
/// block.
///
/// The owner determines which of the elements are initialized; the block deinitializes none. A
/// block without capacity has no memory.
@safe struct Block<Element: ~Copyable>: ~Copyable {
    /// The first element. Valid until the block is resized or freed.
    private(set) var start: UnsafeMutablePointer<Element>
    private(set) var capacity: Int

    init(capacity: Int) {
        precondition(capacity >= 0, "negative capacity")
        self.capacity = capacity
        unsafe start =
            capacity == 0
            ? Block.nowhere
            : Memory.allocate(capacity * MemoryLayout<Element>.stride)
                .bindMemory(to: Element.self, capacity: capacity)
    }

    deinit {
        if capacity > 0 { unsafe Memory.free(UnsafeMutableRawPointer(start)) }
    }

    /// The bytes that are allocated, including the allocator's own.
    var bytesHeld: Int {
        capacity == 0 ? 0 : Memory.held(capacity * MemoryLayout<Element>.stride)
    }

    /// The element at an index, which must be initialized.
    ///
    /// Release builds do not check the index, because the cost would be too high for the tables of
    /// the identity map. It is always valid: owners pass an index below their own count, or below
    /// `capacity` where the whole block is initialized.
    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < capacity, "outside the block")
            return unsafe UnsafePointer(start + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < capacity, "outside the block")
            return unsafe start + index
        }
    }

    /// Changes the capacity of the block; its first `count` elements stay.
    mutating func resize(to capacity: Int, keeping count: Int) {
        precondition(count >= 0 && count <= capacity && count <= self.capacity, "no room to keep them")
        let larger = Block(capacity: capacity)
        unsafe larger.start.moveInitialize(from: start, count: count)
        self = larger
    }

    private static var nowhere: UnsafeMutablePointer<Element> {
        unsafe UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    }
}

extension Block where Element: BitwiseCopyable {
    /// A block full of equal elements.
    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        unsafe start.initialize(repeating: element, count: count)
    }
}
