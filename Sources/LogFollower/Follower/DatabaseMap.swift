internal import SQLiteKit

/// The known facts about the pages of one state: which tree each belongs to, and in which pages
/// records continue. Advances to the next state, page by page, and returns the rows that differ.
struct DatabaseMap {
    private let layout: PageLayout
    private var owners: PageOwners
    private var pageCount: UInt32
    private var freeCount: Int
    /// Created when it is first needed.
    private var overflow: OverflowPages?

    /// Reads the pages above the leaves.
    ///
    /// - Parameter roots: All tables and indexes, with the names of the tables.
    init(_ roots: [(table: ExactText, root: UInt32)], in pages: OldPages) throws(Uncertainty) {
        let first = try pages.page(1)
        layout = try PageLayout(firstPage: first)
        freeCount = Int(try first.word(36))
        pageCount = pages.pageCount
        owners = try PageOwners(roots, in: pages)
    }

    /// The way from the state of the map to the next one.
    struct Step {
        /// The rows of some tables that differ.
        let rows: [TableChange]
        fileprivate let changes: [PageOwners.PageChange]
        fileprivate let pageCount: UInt32
        fileprivate let freeCount: Int
    }

    /// The rows of some tables that differ in the next state. The map then shows the next state; if
    /// this throws, it shows no state.
    mutating func advance(to pages: NewPages, _ tables: Set<ExactText>) throws(Uncertainty) -> [TableChange] {
        let step = try step(to: pages, tables)
        try take(step)
        return step.rows
    }

    /// The step to the next state, computed ahead; nil if that would change what is known of the
    /// overflow pages.
    func preparedStep(to pages: NewPages, _ tables: Set<ExactText>) throws(Uncertainty) -> Step? {
        guard overflow == nil, overflowCount == 0 || unownedPages(pages).isEmpty else { return nil }
        // The copy shares its memory, which the step does not change.
        var map = self
        return try map.step(to: pages, tables)
    }

    /// The step to the next state. The known overflow pages are then the next state's.
    private mutating func step(to pages: NewPages, _ tables: Set<ExactText>) throws(Uncertainty) -> Step {
        var newFreeCount = freeCount
        if pages.isWritten(1) {
            let first = try pages.page(1)
            guard try PageLayout(firstPage: first) == layout else { throw .layout }
            newFreeCount = Int(try first.word(36))
        }
        let watched = Set(owners.trees.indices.filter { tables.contains(owners.trees[$0].table) })
        // Names are missing if memory runs out while the schema is read.
        guard watched.count == tables.count else { throw .layout }
        let changes = try owners.changes(pages)
        var compared = changes
        for page in try cellPagesOfWrittenOverflow(pages, watched) {
            if let index = compared.firstIndex(where: { $0.page == page }) {
                compared[index].hasWrittenOverflow = true
            } else {
                let owner = owners.owner(page)
                compared.append(
                    PageOwners.PageChange(
                        page: page, old: owner, new: owner, isWritten: false, hasWrittenOverflow: true))
            }
        }
        let rows = try rows(on: compared, pages, watched)
        return Step(rows: rows, changes: changes, pageCount: pages.pageCount, freeCount: newFreeCount)
    }

    /// Makes the map show the next state. Nothing else refers to the owners now: a copy would be
    /// large.
    mutating func take(_ step: Step) throws(Uncertainty) {
        owners.apply(step.changes, pageCount: step.pageCount)
        pageCount = step.pageCount
        freeCount = step.freeCount
        guard overflowCount >= 0 else { throw .pages }
    }

    /// The rows that differ on some pages. Applies the changes of the overflow pages.
    private mutating func rows(
        on changes: [PageOwners.PageChange], _ pages: NewPages, _ watched: Set<Int>
    ) throws(Uncertainty) -> [TableChange] {
        var comparison = RowComparison(pages, layout, owners)
        var rows: [TableChange] = []
        // The trees whose overflow pages are known are followed even if their rows are no longer
        // needed.
        for tree in watched.union(overflow?.trees ?? []).sorted() {
            let change = try comparison.rows(of: tree, on: changes)
            if watched.contains(tree), !change.isEmpty { rows.append(change) }
        }
        if var overflow {
            self.overflow = nil
            try comparison.update(&overflow)
            self.overflow = overflow
        }
        return rows
    }

    /// The number of pages in which records continue: they have no other purpose.
    private var overflowCount: Int {
        Int(pageCount) - owners.count - freeCount - layout.pointerMapCount(pageCount: pageCount)
            - (layout.lockPage <= pageCount ? 1 : 0)
    }

    /// The pages of the cells whose overflow pages were written.
    private mutating func cellPagesOfWrittenOverflow(
        _ pages: NewPages, _ watched: Set<Int>
    ) throws(Uncertainty) -> [UInt32] {
        let unowned = unownedPages(pages)
        guard !unowned.isEmpty, overflowCount > 0 else { return [] }
        if let overflow, !overflow.trees.isSuperset(of: watched) { self.overflow = nil }
        if overflow == nil {
            let free = try freePages(pages.old)
            if unowned.allSatisfy(free.contains) { return [] }
            overflow = try OverflowPages(of: watched, owners, in: pages.old, layout)
        }
        return Array(Set(unowned.compactMap { overflow?.cellPage(of: $0) }))
    }

    /// The written pages that belonged to no tree: free ones, and overflow pages.
    private func unownedPages(_ pages: NewPages) -> [UInt32] {
        pages.written.filter { page in
            page <= pageCount && owners.owner(page) == .none && !layout.isPointerMap(page) && page != layout.lockPage
        }
    }

    /// https://www.sqlite.org/fileformat.html#the_freelist
    private func freePages(_ pages: OldPages) throws(Uncertainty) -> Set<UInt32> {
        var free: Set<UInt32> = []
        var trunk = try pages.page(1).word(32)
        while trunk != 0, trunk <= pageCount, free.insert(trunk).inserted {
            let page = try pages.page(trunk)
            let count = min(Int(try page.word(4)), layout.usableSize / 4 - 2)
            for index in 0..<count { free.insert(try page.word(8 + 4 * index)) }
            trunk = try page.word(0)
        }
        return free
    }
}
