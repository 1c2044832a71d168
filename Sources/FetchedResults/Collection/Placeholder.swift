/// A section without objects that a collection shows: for itself, or in the place of a list that has no sections.
public final class Placeholder {
    /// The name and the index title of the section, as far as it has any. Setting them updates the section.
    public var name: String? { didSet { if name != oldValue { tell([0]) } } }
    public var indexTitle: String? { didSet { if indexTitle != oldValue { tell([1]) } } }
    /// The child of the collection that it is part of.
    weak var child: CollectionChild?
    /// What a language binding keeps beside it.
    package var attachment: AnyObject?

    public init(name: String? = nil, indexTitle: String? = nil) {
        self.name = name
        self.indexTitle = indexTitle
    }

    /// Throws `misuse` if a callback of its collection's delivery never returned.
    package func checkNotAbandoned() throws { try child?.collection?.queue.checkNotAbandoned() }

    private func tell(_ columns: [Int]) {
        guard let child else { return }
        child.collection?.updatePlaceholder(of: child, columns)
    }
}
