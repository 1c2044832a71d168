/// Elements one after another in one block that grows. The stack owns them: what is left of them is deinitialized with
/// it.
struct Stack<Element: ~Copyable>: ~Copyable {
    private var elements: Block<Element>
    private(set) var count = 0

    /// An empty stack with room for so many elements.
    init(capacity: Int = 0) { elements = Block(capacity: capacity) }

    deinit { elements.start.deinitialize(count: count) }

    var isEmpty: Bool { count == 0 }

    /// The element at an index less than `count`.
    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress { UnsafePointer(elements.start + index) }
        @inline(__always) unsafeMutableAddress { elements.start + index }
    }

    /// O(1), amortised.
    mutating func append(_ element: consuming Element) {
        if count == elements.capacity { elements.resize(to: max(8, count * 2), keeping: count) }
        (elements.start + count).initialize(to: element)
        count += 1
    }

    /// Removes all elements; the room for them stays.
    mutating func removeAll() {
        elements.start.deinitialize(count: count)
        count = 0
    }
}
