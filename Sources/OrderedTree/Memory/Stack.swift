/// Elements one after another in one block that grows. The stack owns them: the remaining ones are
/// deinitialized with it.
struct Stack<Element: ~Copyable>: ~Copyable {
    private var elements: Block<Element>
    private(set) var count = 0

    /// An empty stack with memory for `capacity` elements.
    init(capacity: Int = 0) { elements = Block(capacity: capacity) }

    deinit { unsafe elements.start.deinitialize(count: count) }

    var isEmpty: Bool { count == 0 }

    /// The element at an index less than `count`. Release builds do not check the index: bulk
    /// builds use loops up to `count`.
    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count, "outside the stack")
            return unsafe UnsafePointer(elements.start + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count, "outside the stack")
            return unsafe elements.start + index
        }
    }

    /// O(1), amortised.
    mutating func append(_ element: consuming Element) {
        if count == elements.capacity { elements.resize(to: max(8, count * 2), keeping: count) }
        unsafe (elements.start + count).initialize(to: element)
        count += 1
    }

    /// Removes all elements; the memory for them stays.
    mutating func removeAll() {
        unsafe elements.start.deinitialize(count: count)
        count = 0
    }
}
