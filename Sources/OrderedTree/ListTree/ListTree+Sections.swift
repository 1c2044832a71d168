extension ListTree {
    /// The section at a position. O(log sections).
    package func section(at index: Int) -> SectionID {
        guard few.isInUse else { return SectionID(raw: withPositions { $0.handle(at: index) }) }
        precondition(index == 0, "not a position of this index")
        return SectionID(raw: FewRows.section)
    }

    /// The position of a section. O(log sections).
    package func index(of section: SectionID) -> Int {
        few.isInUse ? 0 : withPositions { $0.index(of: section.raw) }
    }

    /// Whether the handle denotes a section of this index. O(1).
    package func contains(_ section: SectionID) -> Bool {
        few.isInUse ? section.raw == FewRows.section : withPositions { $0.contains(section.raw) }
    }

    /// Inserts an empty section at `index`. O(log sections).
    package func insertSection(at index: Int) -> SectionID {
        let handle = positions.insert(at: index, weights: .init(first: 1, second: 0))
        forest.addSection(handle)
        return SectionID(raw: handle)
    }

    /// Removes a section and all its rows. O(log sections + rows of the section).
    package func removeSection(_ section: SectionID) {
        precondition(contains(section), "not a section of this index")
        forest.removeRows(section: section.raw)
        positions.remove(section.raw)
    }

    /// Moves a section with its rows to `index`, counted without the section. O(log sections),
    /// whatever its size.
    package func moveSection(_ section: SectionID, to index: Int) {
        positions.move(section.raw, to: index)
    }

    /// The first position whose section satisfies a predicate that stays true for all later ones;
    /// `sectionCount` if none does. Calls it for O(log sections) sections.
    package func firstSection(where isNotBefore: (SectionID) throws -> Bool) rethrows -> Int {
        if few.isInUse { return try isNotBefore(SectionID(raw: FewRows.section)) ? 0 : 1 }
        return try positions.firstIndex { try isNotBefore(SectionID(raw: $0)) }
    }
}
