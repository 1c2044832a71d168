/// The facts that the change sets of a list have in common, as long as it shows the same columns.
final class ChangesContext {
    let identities: Identities
    let layout: ObjectLayout
    /// The layout of old contents.
    let oldLayout: ObjectLayout
    /// Reads the contents that were not read yet.
    let reference: BackReference<ListEngine>
    let isSectionMap: Bool
    /// Maps the columns of old contents to the columns of records; nil if the list is compiled as
    /// before.
    let layoutChange: LayoutChange?
    /// The names of the totals, in the order of their columns in records of sections.
    let totalNames: [String]

    init(_ engine: ListEngine) {
        identities = engine.decoder.identities
        layout = engine.layout
        oldLayout = engine.superseded == nil ? layout : engine.layout(of: engine.shownCompiled)
        reference = engine.reference
        isSectionMap = engine.mappedSections != nil
        totalNames = engine.compiled.totals?.parts.names ?? []
        layoutChange = engine.superseded == nil ? nil : LayoutChange(from: oldLayout, to: layout)
    }
}
