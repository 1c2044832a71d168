/// Objects by numbers that grow, in the order of these: 16 bytes for each. Removed ones leave gaps,
/// until these are half of the list.
struct SerialList<Element> {
    private var entries: [(serial: Int, element: Element?)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// In the order of their numbers.
    var elements: some Sequence<Element> { entries.lazy.compactMap { $0.element } }

    /// The element if it is the only one.
    var only: Element? { count == 1 ? entries.last { $0.element != nil }?.element : nil }

    /// Adds an element whose number is greater than all other numbers.
    mutating func append(_ element: Element, serial: Int) {
        entries.append((serial, element))
        count += 1
    }

    func contains(_ serial: Int) -> Bool { index(of: serial) != nil }

    private func index(of serial: Int) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].serial < serial { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].serial == serial, entries[low].element != nil else { return nil }
        return low
    }

    /// Removes the element with a number; false if there is none.
    @discardableResult
    mutating func remove(_ serial: Int) -> Bool {
        guard let index = index(of: serial) else { return false }
        entries[index].element = nil
        count -= 1
        if entries.count > 16, count * 2 < entries.count { entries = entries.filter { $0.element != nil } }
        return true
    }
}
