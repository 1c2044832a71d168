public import FetchedResults

/// The places of items that a view is to select.
public struct Selection<Item> {
    /// The places of the items that were found, in the order in which the items were given.
    public let paths: [ListIndexPath]
    /// The items that were not found.
    public let unknown: [Item]
}

/// A view in which rows can be selected.
public protocol SelectingView: AnyObject {
    /// The places of the selected rows.
    var selectedPaths: [ListIndexPath] { get }
    /// Selects exactly these rows.
    func select(_ paths: [ListIndexPath])
}

extension ItemSource {
    /// The items at paths; paths that do not exist any more are left out.
    public func items(at paths: [ListIndexPath]) -> [Item] { paths.compactMap { try? item(at: $0) } }

    /// The places of items, in the order in which they are given.
    public func selection(of items: [Item]) -> Selection<Item> {
        var paths: [ListIndexPath] = []
        var unknown: [Item] = []
        for item in items {
            if let path = (try? indexPath(of: item)) ?? nil { paths.append(path) } else { unknown.append(item) }
        }
        return Selection(paths: paths, unknown: unknown)
    }

    /// The items that are selected in a view.
    public func selectedItems(in view: some SelectingView) -> [Item] { items(at: view.selectedPaths) }

    /// Selects items in a view, and returns the ones that were not found.
    @discardableResult
    public func select(_ items: [Item], in view: some SelectingView) -> [Item] {
        let selection = selection(of: items)
        view.select(selection.paths)
        return selection.unknown
    }
}
