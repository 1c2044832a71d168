/// An array that C programs borrow: it stays at one address.
final class LentArray<Element> {
    let values: UnsafeMutableBufferPointer<Element>

    init(_ elements: some Collection<Element>) {
        values = .allocate(capacity: elements.count)
        _ = values.initialize(fromContentsOf: elements)
    }

    deinit {
        values.deinitialize()
        values.deallocate()
    }
}
