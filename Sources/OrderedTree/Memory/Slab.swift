/// The content of a slot of a slab: an element, or the link of a free slot to the next one.
protocol SlabElement: ~Copyable {
    /// A free slot.
    init(nextFree: Int32)

    /// The slot that a free one links to, or -1 at the last one; nil for an element.
    var nextFree: Int32? { get }
}

/// Elements by number, adjacent in one block that grows. An element has its number until it is
/// removed; then the number is assigned again.
///
/// The slab owns its elements: the remaining ones are deinitialized with it.
struct Slab<Element: SlabElement & ~Copyable>: ~Copyable {
    private var slots = Block<Element>(capacity: 0)
    /// Numbers assigned so far, including free ones.
    private(set) var used = 0
    private var firstFree: Int32 = -1
    private let leastCapacity: Int

    init(leastCapacity: Int) { self.leastCapacity = leastCapacity }

    deinit { unsafe slots.start.deinitialize(count: used) }

    /// Bytes of the slots. O(1).
    var bytesHeld: Int { slots.bytesHeld }

    /// The element of a number that was assigned. Its address is valid until the next insertion.
    ///
    /// Release builds do not check the number, because the check would cost time at every step
    /// through a tree. It is always valid: the numbers in links between elements were assigned, and
    /// `contains` checks those from outside.
    subscript(number: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(number >= 0 && number < used, "not a number of this slab")
            return unsafe UnsafePointer(slots.start + number)
        }
        @inline(__always) unsafeMutableAddress {
            assert(number >= 0 && number < used, "not a number of this slab")
            return unsafe slots.start + number
        }
    }

    /// Whether an element has this number. O(1).
    @inline(__always)
    func contains(_ number: Int) -> Bool {
        number >= 0 && number < used && self[number].nextFree == nil
    }

    /// Inserts an element, and returns its number. O(1), amortised.
    mutating func insert(_ element: consuming Element) -> Int {
        if firstFree >= 0 {
            let number = Int(firstFree)
            firstFree = self[number].nextFree ?? -1
            self[number] = element
            return number
        }
        if used == slots.capacity {
            slots.resize(to: max(leastCapacity, slots.capacity * 2), keeping: used)
        }
        unsafe (slots.start + used).initialize(to: element)
        used += 1
        return used - 1
    }

    /// Removes an element, whose number may be assigned again. O(1).
    mutating func remove(_ number: Int) {
        _ = take(number)
    }

    /// Removes an element and returns it. O(1).
    mutating func take(_ number: Int) -> Element {
        precondition(contains(number), "not the number of an element")
        defer { firstFree = Int32(number) }
        return exchange(&self[number], with: Element(nextFree: firstFree))
    }

    /// Frees the memory for further elements. O(n).
    mutating func shrinkToFit() {
        if used < slots.capacity { slots.resize(to: used, keeping: used) }
    }

    /// The number of slots on the free list; greater than `used` if the list is cyclic. O(n).
    var freeCount: Int {
        var count = 0
        var number = firstFree
        while number >= 0, count <= used {
            number = self[Int(number)].nextFree ?? -1
            count += 1
        }
        return count
    }
}
