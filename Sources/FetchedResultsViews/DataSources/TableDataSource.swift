public import FetchedResults

/// Supplies what a table asks for: the numbers of sections and rows, their cells, headers, and the
/// index at its side.
public final class TableDataSource<Items: ItemSource, Configurator: CellConfigurator>
where Configurator.Item == Items.Item {
    /// The items that the table shows.
    public let items: Items
    /// Configures cells. The data source does not retain it.
    public private(set) weak var configurator: Configurator?
    /// Whether sections have their names as headers.
    public var systemHeaders = false
    /// Whether there is an index of the sections.
    public var tableIndex = false
    /// The header of sections that have none of their own, or of all sections without
    /// `systemHeaders`.
    public var defaultSectionTitle: String?
    /// The header of all sections as a text with names in braces: "{name}: {unread} of {count}
    /// unread". The names are the totals of the section (`FetchRequest.totals`), `name` and
    /// `count`, its number of rows. A section without a name has `defaultSectionTitle` as its name,
    /// a NULL is empty, and "{{" is a brace. nil for none, which is the default.
    ///
    /// A section whose totals changed is among `ViewBatch.sectionUpdates`: ask for its header
    /// again.
    public var sectionTitleFormat: String?

    /// A data source of any items. It retains the items, but not the configurator.
    public init(_ items: Items, configurator: Configurator) {
        self.items = items
        self.configurator = configurator
    }

    /// A data source of the objects of a list. It retains the list, but not the configurator.
    public convenience init(list: any LiveList, configurator: Configurator) where Items == ListItems<FetchedObject> {
        self.init(ListItems(list), configurator: configurator)
    }

    /// A data source of the rows of a list, decoded as what the configurator shows. It retains the
    /// list, but not the configurator.
    public convenience init<Row: Decodable>(list: any LiveList, configurator: Configurator)
    where Items == ListItems<Row> {
        self.init(ListItems(list), configurator: configurator)
    }

    /// The number of sections; 1 for a list that can't be read.
    public var numberOfSections: Int { items.numberOfSections }
    /// The number of rows in a section; 0 for a section that does not exist.
    public func numberOfRows(inSection section: Int) -> Int { items.numberOfRows(inSection: section) }

    /// A cell for a row, taken from the view and configured. Throws what reading the row throws.
    public func cell(at path: ListIndexPath, in view: some CellView<Configurator.Cell>) throws -> Configurator.Cell {
        try items.cell(at: path, in: view, configurator)
    }

    /// The header of a section; nil for none.
    public func title(forHeaderOfSection section: Int) -> String? {
        guard let sectionTitleFormat, 0..<numberOfSections ~= section else {
            return (systemHeaders ? items.sectionName(section) : nil) ?? defaultSectionTitle
        }
        let totals = items.sectionTotals(section)
        return sectionTitle(sectionTitleFormat) { name in
            if let total = totals?[name] { return total.castToText ?? "" }
            switch name {
            case "name": return items.sectionName(section) ?? defaultSectionTitle ?? ""
            case "count": return "\(numberOfRows(inSection: section))"
            default: return nil
            }
        }
    }

    /// The titles at the side; nil without an index.
    public var sectionIndexTitles: [String]? { tableIndex ? items.sectionIndexTitles : nil }

    /// The section that a title at the side leads to; nil if there is none.
    public func section(forIndexTitle title: String, at index: Int) -> Int? {
        items.section(forIndexTitle: title, at: index)
    }
}

extension ItemSource {
    func cell<Configurator: CellConfigurator>(
        at path: ListIndexPath, in view: some CellView<Configurator.Cell>, _ configurator: Configurator?
    ) throws -> Configurator.Cell where Configurator.Item == Item {
        let item = try item(at: path)
        let identifier = configurator?.reuseIdentifier(for: item, at: path) ?? defaultReuseIdentifier
        let cell = view.dequeueCell(identifier, at: path)
        configurator?.configure(cell, with: item, at: path)
        return cell
    }
}
