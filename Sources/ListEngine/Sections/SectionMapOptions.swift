/// The treatment of sections that have no items.
public enum EmptySections: Int32, Sendable {
    /// They are shown.
    case shown = 0
    /// They are not shown. A section appears with its first item and disappears with its last one.
    case hidden = 1
}

/// The treatment of items whose key is NULL or names no section.
public enum ItemsWithoutSection: Int32, Sendable {
    /// They are in a last section, of NULL, which exists as long as it has any.
    case shown = 0
    /// They are not shown.
    case hidden = 1
    /// The last section exists also without items.
    case alwaysShown = 2
}

/// How a section map finds its items' sections, and which of these it shows.
package struct SectionMapOptions {
    /// The key path from an item to the key of its section.
    let itemKey: String
    /// The column of a section's row that holds its key; nil to find it by the item's key path.
    package var sectionKey: String?
    /// The column of a section's row that its index title is made of; nil for the key.
    let titleColumn: String?
    package var emptySections: EmptySections
    package var itemsWithoutSection: ItemsWithoutSection

    package init(
        itemKey: String, sectionKey: String?, titleColumn: String?, emptySections: EmptySections,
        itemsWithoutSection: ItemsWithoutSection
    ) {
        self.itemKey = itemKey
        self.sectionKey = sectionKey
        self.titleColumn = titleColumn
        self.emptySections = emptySections
        self.itemsWithoutSection = itemsWithoutSection
    }
}
