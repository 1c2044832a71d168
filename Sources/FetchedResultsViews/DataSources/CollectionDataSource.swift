public import FetchedResults

/// A view that supplies supplementary views: headers, footers and the like, of kinds that the
/// program names.
public protocol SupplementaryView<Supplementary>: AnyObject {
    /// The program's type of supplementary views.
    associatedtype Supplementary

    /// A supplementary view, reused or new.
    ///
    /// - Parameters:
    ///   - kind: Its purpose, such as a header.
    ///   - identifier: Which supplementary views of the kind can be reused for it.
    ///   - path: The place that it belongs to.
    func dequeueSupplementary(ofKind kind: String, _ identifier: String, at path: ListIndexPath) -> Supplementary
}

/// Configures supplementary views: it determines what they show.
public protocol SupplementaryConfigurator<Supplementary>: AnyObject {
    /// The program's type of supplementary views.
    associatedtype Supplementary

    /// The kind itself by default.
    func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String
    /// Makes a supplementary view show what belongs to a place.
    func configure(_ view: Supplementary, ofKind kind: String, at path: ListIndexPath)
}

extension SupplementaryConfigurator {
    public func reuseIdentifier(forSupplementaryOfKind kind: String, at path: ListIndexPath) -> String { kind }
}

/// The configurator of a collection view without supplementary views.
public final class NoSupplements: SupplementaryConfigurator {
    /// Never called: there are no such views.
    public func configure(_ view: Never, ofKind kind: String, at path: ListIndexPath) {}
}

/// Supplies what a collection view asks for: the numbers of sections and items, their cells, and
/// supplementary views.
public final class CollectionDataSource<
    Items: ItemSource, Configurator: CellConfigurator, Supplements: SupplementaryConfigurator
> where Configurator.Item == Items.Item {
    /// The items that the view shows.
    public let items: Items
    /// Configures cells. The data source does not retain it.
    public private(set) weak var configurator: Configurator?
    /// Configures supplementary views. The data source does not retain it.
    public private(set) weak var supplements: Supplements?

    /// A data source of any items. It retains the items, but not the configurators.
    public init(_ items: Items, configurator: Configurator, supplements: Supplements) {
        self.items = items
        self.configurator = configurator
        self.supplements = supplements
    }

    /// A data source of any items for a view without supplementary views.
    public init(_ items: Items, configurator: Configurator) where Supplements == NoSupplements {
        self.items = items
        self.configurator = configurator
    }

    /// A data source of the objects of a list. It retains the list, but not the configurators.
    public convenience init(
        list: any LiveList, configurator: Configurator, supplements: Supplements
    ) where Items == ListItems<FetchedObject> {
        self.init(ListItems(list), configurator: configurator, supplements: supplements)
    }

    /// A data source of the rows of a list, decoded as what the configurator shows. It retains the
    /// list, but not the configurators.
    public convenience init<Row: Decodable>(
        list: any LiveList, configurator: Configurator, supplements: Supplements
    ) where Items == ListItems<Row> {
        self.init(ListItems(list), configurator: configurator, supplements: supplements)
    }

    /// The number of sections; 1 for a list that can't be read.
    public var numberOfSections: Int { items.numberOfSections }
    /// The number of items in a section; 0 for a section that does not exist.
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
