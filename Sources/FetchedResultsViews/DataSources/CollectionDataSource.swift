public import FetchedResults

/// A view that lends supplementary views: headers, footers and the like, of kinds that the program names.
public protocol SupplementaryView<Supplementary>: AnyObject {
    associatedtype Supplementary

    func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> Supplementary
}

/// Who knows what supplementary views show.
public protocol SupplementaryConfigurator<Supplementary>: AnyObject {
    associatedtype Supplementary

    /// The kind itself by default.
    func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String
    func configure(_ view: Supplementary, ofKind kind: String, at path: ListIndexPath)
}

extension SupplementaryConfigurator {
    public func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String { kind }
}

/// What a collection view asks: how many sections and items there are, their cells, and supplementary views.
public final class CollectionDataSource<
    Items: ItemSource, Configurator: CellConfigurator, Supplements: SupplementaryConfigurator
> where Configurator.Item == Items.Item {
    public let items: Items
    /// Who configures cells, and who supplementary views; they are not kept.
    public private(set) weak var configurator: Configurator?
    public private(set) weak var supplements: Supplements?

    public init(_ items: Items, configurator: Configurator, supplements: Supplements) {
        self.items = items
        self.configurator = configurator
        self.supplements = supplements
    }

    public convenience init(
        list: any LiveList, configurator: Configurator, supplements: Supplements
    ) where Items == ListItems {
        self.init(ListItems(list), configurator: configurator, supplements: supplements)
    }

    public var numberOfSections: Int { items.numberOfSections }
    public func numberOfItems(inSection section: Int) -> Int { items.numberOfRows(inSection: section) }

    /// A cell for an item, taken from the view and configured. Throws what reading it throws.
    public func cell(at path: ListIndexPath, in view: some CellView<Configurator.Cell>) throws -> Configurator.Cell {
        try items.cell(at: path, in: view, configurator)
    }

    /// A supplementary view, taken from the view and configured.
    public func supplementary(
        ofKind kind: String, at path: ListIndexPath, in view: some SupplementaryView<Supplements.Supplementary>
    ) -> Supplements.Supplementary {
        let identifier = supplements?.reuseIdentifier(forSupplementaryOfKind: kind, at: path) ?? kind
        let supplementary = view.dequeueSupplementary(ofKind: kind, identifier, at: path)
        supplements?.configure(supplementary, ofKind: kind, at: path)
        return supplementary
    }
}
