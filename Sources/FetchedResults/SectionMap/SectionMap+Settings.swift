public import SQLiteKit

/// Where a map's sections come from.
extension SectionMap {
    /// The request for the sections; nil if they are keys.
    public var sectionRequest: FetchRequest? { sectionRows?.controller?.request }

    /// The keys that were given; nil if the sections are rows.
    public var sectionKeys: [Value]? { if case .keys(let keys)? = sectionRows?.source { keys } else { nil } }
}
