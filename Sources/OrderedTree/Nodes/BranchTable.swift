/// All branches of all sections, by number. A branch stores its children in one block: separators,
/// child numbers, and the number of rows below each child.
///
/// The separator of a child separates it from its left neighbour. The first child's is nil,
/// because an ancestor stores it. Elsewhere nil means that the separator is not known yet: it is
/// read from the first row of the child when a search needs it.
struct BranchTable: ~Copyable {
    /// Safe except for the members that return addresses, whose types are unsafe: it owns the
    /// block, which is freed with it.
    @safe struct Branch: ~Copyable, SlabElement {
        fileprivate static let childSize = 16

        /// Nil in a free slot.
        fileprivate let block: UnsafeMutableRawPointer?
        /// A branch number, or ~section for a root. In a free slot: the next one.
        var parent: Int32
        fileprivate(set) var count: UInt16
        fileprivate let capacity: UInt16
        /// 1 if the children are leaves.
        let level: UInt8

        fileprivate init(level: Int, capacity: Int) {
            unsafe block = Memory.allocate(capacity * Branch.childSize)
            parent = -1
            count = 0
            self.capacity = UInt16(capacity)
            self.level = UInt8(level)
        }

        init(nextFree: Int32) {
            unsafe block = nil
            parent = nextFree
            count = 0
            capacity = 0
            level = 0
        }

        deinit {
            guard let block = unsafe block else { return }
            unsafe separators.deinitialize(count: Int(count))
            unsafe Memory.free(block)
        }

        var nextFree: Int32? { unsafe block == nil ? parent : nil }

        /// Bytes of the block and of the separators.
        fileprivate var bytesHeld: Int {
            if unsafe block == nil { return 0 }
            return (0..<Int(count)).reduce(Memory.held(Int(capacity) * Branch.childSize)) {
                unsafe $0 + (separators[$1]?.bytesHeld ?? 0)
            }
        }

        @inline(__always)
        var separators: UnsafeMutablePointer<Separator?> {
            unsafe block.unsafelyUnwrapped.assumingMemoryBound(to: Separator?.self)
        }

        @inline(__always)
        var children: UnsafeMutablePointer<UInt32> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 8).assumingMemoryBound(to: UInt32.self)
        }

        /// The number of rows below each child.
        @inline(__always)
        var rowCounts: UnsafeMutablePointer<UInt32> {
            unsafe (block.unsafelyUnwrapped + Int(capacity) * 12).assumingMemoryBound(to: UInt32.self)
        }
    }

    private var branches = Slab<Branch>(leastCapacity: 4)
    let fanout: Int

    init(fanout: Int) { self.fanout = fanout }

    /// The bytes that are allocated, including the allocator's own. O(branches).
    var bytesHeld: Int { (0..<used).reduce(branches.bytesHeld) { $0 + self[$1].bytesHeld } }

    /// Numbers assigned so far, including free ones.
    var used: UInt32 { UInt32(branches.used) }

    @inline(__always)
    subscript(number: UInt32) -> Branch {
        @inline(__always) _read { yield branches[Int(number)] }
        @inline(__always) _modify { yield &branches[Int(number)] }
    }

    @inline(__always)
    func isLive(_ number: UInt32) -> Bool { branches.contains(Int(number)) }

    @inline(__always)
    func count(_ number: UInt32) -> Int { Int(self[number].count) }

    @inline(__always)
    func separators(_ number: UInt32) -> UnsafeMutablePointer<Separator?> { unsafe self[number].separators }

    @inline(__always)
    func children(_ number: UInt32) -> UnsafeMutablePointer<UInt32> { unsafe self[number].children }

    @inline(__always)
    func rowCounts(_ number: UInt32) -> UnsafeMutablePointer<UInt32> { unsafe self[number].rowCounts }

    // One entry of a branch. Release builds do not check slots, because the check would cost time
    // at every step of a search. The tree's invariants make them valid: they were found among the
    // branch's children, whose number is its count.

    @inline(__always)
    subscript(child number: UInt32, slot: Int) -> UInt32 {
        @inline(__always) unsafeAddress {
            assert(hasSlot(slot, number), "no such child")
            return unsafe UnsafePointer(children(number) + slot)
        }
    }

    /// The number of rows below a child.
    @inline(__always)
    subscript(rows number: UInt32, slot: Int) -> UInt32 {
        @inline(__always) unsafeAddress {
            assert(hasSlot(slot, number), "no such child")
            return unsafe UnsafePointer(rowCounts(number) + slot)
        }
        @inline(__always) nonmutating unsafeMutableAddress {
            assert(hasSlot(slot, number), "no such child")
            return unsafe rowCounts(number) + slot
        }
    }

    @inline(__always)
    subscript(separator number: UInt32, slot: Int) -> Separator? {
        @inline(__always) unsafeAddress {
            assert(hasSlot(slot, number), "no such child")
            return unsafe UnsafePointer(separators(number) + slot)
        }
        @inline(__always) nonmutating unsafeMutableAddress {
            assert(hasSlot(slot, number), "no such child")
            return unsafe separators(number) + slot
        }
    }

    @inline(__always)
    private func hasSlot(_ slot: Int, _ number: UInt32) -> Bool { slot >= 0 && slot < count(number) }

    func rows(_ number: UInt32) -> Int { rows(number, before: count(number)) }

    @inline(__always)
    func rows(_ number: UInt32, before slot: Int) -> Int {
        let counts = unsafe rowCounts(number)
        var sum: UInt32 = 0
        for index in 0..<slot { unsafe sum &+= counts[index] }
        return Int(sum)
    }

    @inline(__always)
    func slot(of child: UInt32, in number: UInt32) -> Int {
        let children = unsafe children(number)
        var slot = 0
        while unsafe children[slot] != child { slot += 1 }
        return slot
    }

    /// Prefetches what a branch stores of its children.
    func prefetch(_ number: UInt32) {
        unsafe Memory.prefetch(separators(number), Int(self[number].capacity) * Branch.childSize)
    }

    /// Prefetches the bytes of a branch's separators.
    func prefetchSeparators(_ number: UInt32) {
        let separators = unsafe separators(number)
        for slot in 0..<count(number) { unsafe separators[slot]?.prefetch() }
    }

    /// The child to which a key leads, or the first one on the way whose separator is not wholly
    /// known.
    @inline(__always)
    func slot(for key: KeyBytes, in number: UInt32) -> (slot: Int, isFound: Bool) {
        let separators = unsafe separators(number)
        var low = 1
        var high = count(number)
        while low < high {
            let middle = (low + high) / 2
            if unsafe separators[middle]?.isKnown == false { return (middle, false) }
            if unsafe separators[middle]?.isAtMost(key) == true { low = middle + 1 } else { high = middle }
        }
        return (low - 1, true)
    }

    mutating func create(level: Int, capacity: Int) -> UInt32 {
        UInt32(branches.insert(Branch(level: level, capacity: capacity)))
    }

    /// Frees a branch and its remaining separators.
    mutating func free(_ number: UInt32) { branches.remove(Int(number)) }

    /// Inserts a child; the branch has fewer than `fanout`.
    mutating func insert(
        _ child: UInt32, rows: Int, separator: consuming Separator?, into number: UInt32, at slot: Int
    ) {
        let count = count(number)
        reserve(number, count + 1)
        let separators = unsafe separators(number)
        let children = unsafe children(number)
        let rowCounts = unsafe rowCounts(number)
        unsafe (separators + slot + 1).moveInitialize(from: separators + slot, count: count - slot)
        unsafe (children + slot + 1).update(from: children + slot, count: count - slot)
        unsafe (rowCounts + slot + 1).update(from: rowCounts + slot, count: count - slot)
        unsafe (separators + slot).initialize(to: separator)
        unsafe children[slot] = child
        unsafe rowCounts[slot] = UInt32(rows)
        self[number].count = UInt16(count + 1)
    }

    /// Removes a child, and returns its separator.
    mutating func remove(at slot: Int, from number: UInt32) -> Separator? {
        let count = count(number)
        let separators = unsafe separators(number)
        let children = unsafe children(number)
        let rowCounts = unsafe rowCounts(number)
        let separator = unsafe (separators + slot).move()
        unsafe (separators + slot).moveInitialize(from: separators + slot + 1, count: count - slot - 1)
        unsafe (children + slot).update(from: children + slot + 1, count: count - slot - 1)
        unsafe (rowCounts + slot).update(from: rowCounts + slot + 1, count: count - slot - 1)
        self[number].count = UInt16(count - 1)
        return separator
    }

    /// Moves all children from `start` on to the end of another branch.
    mutating func moveTail(of source: UInt32, from start: Int, to receiver: UInt32) {
        let length = count(source) - start
        let have = count(receiver)
        reserve(receiver, have + length)
        unsafe (separators(receiver) + have).moveInitialize(from: separators(source) + start, count: length)
        unsafe (children(receiver) + have).update(from: children(source) + start, count: length)
        unsafe (rowCounts(receiver) + have).update(from: rowCounts(source) + start, count: length)
        self[receiver].count = UInt16(have + length)
        self[source].count = UInt16(start)
    }

    mutating func shrinkToFit() { branches.shrinkToFit() }

    /// The capacity of a branch: blocks grow by half, so that little memory is unused.
    func capacity(for children: Int) -> Int { min(fanout, max(4, (children + children / 2 + 3) & ~3)) }

    private mutating func reserve(_ number: UInt32, _ needed: Int) {
        guard needed > Int(self[number].capacity) else { return }
        var branch = Branch(level: Int(self[number].level), capacity: capacity(for: needed))
        let count = count(number)
        unsafe branch.separators.moveInitialize(from: separators(number), count: count)
        unsafe branch.children.update(from: children(number), count: count)
        unsafe branch.rowCounts.update(from: rowCounts(number), count: count)
        branch.parent = self[number].parent
        branch.count = UInt16(count)
        // Its separators have moved.
        self[number].count = 0
        self[number] = branch
    }
}
