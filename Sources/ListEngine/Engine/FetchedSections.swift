package import SQLiteKit

/// Sections of a section map that were fetched and are not shown yet.
package struct FetchedSections {
    package let table: SectionRowTable
    let options: SectionMapOptions
    /// nil if the sections are keys.
    let fetch: FetchedState?

    /// The tables that the rows depend on; nil if the sections are keys.
    package var watches: Watches? { fetch?.watches }

    /// Whether items can be read into them without the connection, which the program's collations
    /// otherwise need to compare keys.
    package var canBeReadElsewhere: Bool { table.isBytewise }

    package func cancel() { fetch?.cancel() }

    /// The same in another state, in which the rows are unchanged.
    package func unchanged(in version: Connection.DataVersion) -> FetchedSections {
        FetchedSections(table: table, options: options, fetch: fetch?.unchanged(in: version))
    }
}
