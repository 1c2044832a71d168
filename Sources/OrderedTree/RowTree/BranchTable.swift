/// All branches of all sections, by number. A branch holds its children side by side, in one
/// block: separators, child numbers, rows below each child.
///
/// The separator of a child parts it from its left neighbour. That of the first child is nil, as
/// an ancestor holds it. Elsewhere nil means "not known yet": it is then read from the first row
/// of the child when a search needs it.
struct BranchTable {
    struct Branch {
        /// Nil on the free list.
        var block: UnsafeMutableRawPointer?
        /// A branch number, or ~section for a root. On the free list: the next free branch.
        var parent: Int32
        var count: UInt16
        var capacity: UInt16
        /// 1 when the children are leaves.
        var level: UInt8
    }

    struct State {
        var branches: UnsafeMutablePointer<Branch>?
        var capacity = 0
        var used = 0
        var free: Int32 = -1
        var memory = MemoryGauge()
    }

    private let state: UnsafeMutablePointer<State>
    let fanout: Int

    init(fanout: Int) {
        self.fanout = fanout
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    func destroy() {
        for number in 0..<UInt32(state.pointee.used) where self[number].pointee.block != nil {
            free(number)
        }
        if let branches = state.pointee.branches { UnsafeMutableRawPointer(branches).deallocate() }
        state.deallocate()
    }

    var bytesHeld: Int { state.pointee.memory.bytes }

    var used: UInt32 { UInt32(state.pointee.used) }

    @inline(__always)
    subscript(number: UInt32) -> UnsafeMutablePointer<Branch> {
        state.pointee.branches.unsafelyUnwrapped + Int(number)
    }

    @inline(__always)
    func isLive(_ number: UInt32) -> Bool { self[number].pointee.block != nil }

    @inline(__always)
    func count(_ number: UInt32) -> Int { Int(self[number].pointee.count) }

    @inline(__always)
    func separators(_ number: UInt32) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        self[number].pointee.block.unsafelyUnwrapped
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    @inline(__always)
    func children(_ number: UInt32) -> UnsafeMutablePointer<UInt32> {
        let branch = self[number].pointee
        return (branch.block.unsafelyUnwrapped + Int(branch.capacity) * 8)
            .assumingMemoryBound(to: UInt32.self)
    }

    /// Rows below each child.
    @inline(__always)
    func rowCounts(_ number: UInt32) -> UnsafeMutablePointer<UInt32> {
        let branch = self[number].pointee
        return (branch.block.unsafelyUnwrapped + Int(branch.capacity) * 12)
            .assumingMemoryBound(to: UInt32.self)
    }

    func rows(_ number: UInt32) -> Int { rows(number, before: count(number)) }

    @inline(__always)
    func rows(_ number: UInt32, before slot: Int) -> Int {
        let counts = rowCounts(number)
        var sum: UInt32 = 0
        for index in 0..<slot { sum &+= counts[index] }
        return Int(sum)
    }

    @inline(__always)
    func slot(of child: UInt32, in number: UInt32) -> Int {
        let children = children(number)
        var slot = 0
        while children[slot] != child { slot += 1 }
        return slot
    }

    func create(level: Int, capacity: Int) -> UInt32 {
        let number = allocateNumber()
        self[number].initialize(
            to: Branch(
                block: state.pointee.memory.allocate(capacity * 16), parent: -1, count: 0,
                capacity: UInt16(capacity), level: UInt8(level)))
        return number
    }

    /// Frees a branch and the separators it still holds.
    func free(_ number: UInt32) {
        for slot in 0..<count(number) { setSeparator(nil, of: number, at: slot) }
        let branch = self[number].pointee
        if let block = branch.block {
            state.pointee.memory.free(block, size: Int(branch.capacity) * 16)
        }
        self[number].pointee.block = nil
        self[number].pointee.count = 0
        self[number].pointee.parent = state.pointee.free
        state.pointee.free = Int32(number)
    }

    /// A separator of the first `length` bytes of a key.
    func makeSeparator(_ key: LeadingBytes, length: Int) -> UnsafeMutableRawPointer {
        let block = state.pointee.memory.allocate(Separator.size(length))
        block.storeBytes(of: UInt32(length), as: UInt32.self)
        let bytes = (block + 4).assumingMemoryBound(to: UInt8.self)
        for offset in 0..<length { bytes[offset] = key[offset] }
        return block
    }

    /// The shortest separator that what is known of two neighbours allows, or nil when they tie.
    func makeSeparator(
        between left: LeadingBytes, and right: LeadingBytes
    ) -> UnsafeMutableRawPointer? {
        right.separatorLength(after: left).map { makeSeparator(right, length: $0) }
    }

    func freeSeparator(_ block: UnsafeMutableRawPointer) {
        state.pointee.memory.free(block, size: Separator.size(Separator(block: block).count))
    }

    func setSeparator(_ separator: UnsafeMutableRawPointer?, of number: UInt32, at slot: Int) {
        if let old = separators(number)[slot] { freeSeparator(old) }
        separators(number)[slot] = separator
    }

    /// Inserts a child; the branch has fewer than `fanout`.
    func insert(
        _ child: UInt32, rows: Int, separator: UnsafeMutableRawPointer?, into number: UInt32,
        at slot: Int
    ) {
        let count = count(number)
        reserve(number, count + 1)
        let separators = separators(number)
        let children = children(number)
        let rowCounts = rowCounts(number)
        (separators + slot + 1).update(from: separators + slot, count: count - slot)
        (children + slot + 1).update(from: children + slot, count: count - slot)
        (rowCounts + slot + 1).update(from: rowCounts + slot, count: count - slot)
        separators[slot] = separator
        children[slot] = child
        rowCounts[slot] = UInt32(rows)
        self[number].pointee.count = UInt16(count + 1)
    }

    /// Takes a child out and hands over its separator.
    func remove(at slot: Int, from number: UInt32) -> UnsafeMutableRawPointer? {
        let count = count(number)
        let separators = separators(number)
        let children = children(number)
        let rowCounts = rowCounts(number)
        let separator = separators[slot]
        (separators + slot).update(from: separators + slot + 1, count: count - slot - 1)
        (children + slot).update(from: children + slot + 1, count: count - slot - 1)
        (rowCounts + slot).update(from: rowCounts + slot + 1, count: count - slot - 1)
        self[number].pointee.count = UInt16(count - 1)
        return separator
    }

    /// Moves all children from `start` on to the end of another branch.
    func moveTail(of source: UInt32, from start: Int, to receiver: UInt32) {
        let length = count(source) - start
        let have = count(receiver)
        reserve(receiver, have + length)
        (separators(receiver) + have).update(from: separators(source) + start, count: length)
        (children(receiver) + have).update(from: children(source) + start, count: length)
        (rowCounts(receiver) + have).update(from: rowCounts(source) + start, count: length)
        self[receiver].pointee.count = UInt16(have + length)
        self[source].pointee.count = UInt16(start)
    }

    func shrinkToFit() {
        if state.pointee.used > 0, state.pointee.used < state.pointee.capacity {
            resize(to: state.pointee.used)
        }
    }

    private func reserve(_ number: UInt32, _ needed: Int) {
        let old = self[number].pointee
        guard needed > Int(old.capacity), let oldBlock = old.block else { return }
        let capacity = BlockSize.step(for: needed, limit: fanout)
        let separators = separators(number)
        let children = children(number)
        let rowCounts = rowCounts(number)
        self[number].pointee.block = state.pointee.memory.allocate(capacity * 16)
        self[number].pointee.capacity = UInt16(capacity)
        let count = Int(old.count)
        self.separators(number).update(from: separators, count: count)
        self.children(number).update(from: children, count: count)
        self.rowCounts(number).update(from: rowCounts, count: count)
        state.pointee.memory.free(oldBlock, size: Int(old.capacity) * 16)
    }

    private func allocateNumber() -> UInt32 {
        if state.pointee.free >= 0 {
            let number = UInt32(state.pointee.free)
            state.pointee.free = self[number].pointee.parent
            return number
        }
        if state.pointee.used == state.pointee.capacity {
            resize(to: max(4, state.pointee.capacity * 2))
        }
        state.pointee.used += 1
        return UInt32(state.pointee.used - 1)
    }

    private func resize(to capacity: Int) {
        let stride = MemoryLayout<Branch>.stride
        let block = state.pointee.memory.resize(
            state.pointee.branches.map { UnsafeMutableRawPointer($0) },
            of: state.pointee.capacity * stride, used: state.pointee.used * stride,
            to: capacity * stride)
        state.pointee.branches = block.assumingMemoryBound(to: Branch.self)
        state.pointee.capacity = capacity
    }
}
