/// Elements of which there is mostly one: the first needs no allocation.
struct SmallVector<Element>: RandomAccessCollection, MutableCollection {
    private var first: Element?
    private var others: [Element] = []

    init(_ elements: some Sequence<Element>) { for element in elements { append(element) } }

    var startIndex: Int { 0 }
    var endIndex: Int { first == nil ? 0 : 1 + others.count }

    subscript(index: Int) -> Element {
        get {
            if index > 0 { return others[index - 1] }
            guard let first else { preconditionFailure("index out of range") }
            return first
        }
        set {
            precondition(first != nil, "index out of range")
            if index > 0 { others[index - 1] = newValue } else { first = newValue }
        }
    }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }
}

extension SmallVector: ExpressibleByArrayLiteral {
    init(arrayLiteral elements: Element...) { self.init(elements) }
}
