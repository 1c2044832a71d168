/// The distinct index titles of a list's sections, in order of first appearance.
struct IndexTitles {
    private(set) var titles: [String] = []
    /// The first section of each title.
    private(set) var sections: [Int] = []

    init(_ sectionTitles: some Sequence<String?>) {
        var seen: Set<String> = []
        for (section, title) in sectionTitles.enumerated() {
            guard let title, seen.insert(title).inserted else { continue }
            titles.append(title)
            sections.append(section)
        }
    }
}
