/// Which page has the cell whose record continues in an overflow page. An update of equal length
/// may write the overflow page and not the page of the cell.
struct OverflowPages {
    /// The trees whose rows were read.
    let trees: Set<Int>
    private var cellPages: [UInt32: UInt32] = [:]

    /// Reads all rows of some trees.
    init(of trees: Set<Int>, _ owners: PageOwners, in pages: OldPages, _ layout: PageLayout) throws(Uncertainty) {
        self.trees = trees
        var cells: [Cell] = []
        let numbers = owners.pages { owner in
            owner.tree.map { trees.contains($0) && owners.holdsRows(owner, of: $0) } ?? false
        }
        for number in numbers {
            cells.removeAll(keepingCapacity: true)
            cells += try Page(number: number, bytes: try pages.read(number)).cells(layout)
            for cell in cells { try add(cell, in: pages, layout) }
        }
    }

    /// The page of the cell; nil for a page in which no row of these trees continues.
    func cellPage(of overflow: UInt32) -> UInt32? { cellPages[overflow] }

    mutating func add(_ cell: Cell, in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) {
        var chain = try OverflowChain(of: cell, in: pages, layout)
        while let (page, _) = try chain.next() { cellPages[page.number] = cell.page.number }
    }

    mutating func remove(_ cell: Cell, in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) {
        var chain = try OverflowChain(of: cell, in: pages, layout)
        while let (page, _) = try chain.next() { cellPages[page.number] = nil }
    }
}

extension PageOwners {
    /// Whether a page contains rows of a tree: a leaf, or any page of a table WITHOUT ROWID.
    func holdsRows(_ owner: Owner, of tree: Int) -> Bool {
        owner.tree == tree && (!owner.isInterior || trees[tree].isIndex)
    }
}

/// The overflow pages of a record, one after another, in order
/// (https://www.sqlite.org/fileformat.html#ovflpgs). They are not held: a record can have nearly as
/// many as the database.
struct OverflowChain<Pages: PageState> {
    private let pages: Pages
    /// How many bytes of a record a page has.
    private let room: Int
    private var left: Int
    private var nextPage: UInt32

    /// Throws if the cell claims more pages than there can be. Its size takes up to nine bytes, of
    /// which SQLite uses the lower 32 bits alone.
    init(of cell: Cell, in pages: Pages, _ layout: PageLayout) throws(Uncertainty) {
        self.pages = pages
        room = layout.usableSize - 4
        left = cell.size - cell.localSize
        nextPage = cell.overflow
        try pages.overflowBudget.take(left / room + (left % room == 0 ? 0 : 1))
    }

    /// The next page, and which of its bytes are the record's; nil at the end.
    mutating func next() throws(Uncertainty) -> (page: Page, content: Range<Int>)? {
        guard left > 0 else { return nil }
        guard nextPage > 0, nextPage <= pages.pageCount else { throw .pages }
        let page = try pages.transient(nextPage)
        let content = 4..<4 + min(left, room)
        guard content.upperBound <= page.bytes.count else { throw .pages }
        nextPage = try page.word(0)
        left -= content.count
        return (page, content)
    }
}

extension Cell {
    /// The whole record.
    func record(in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) -> [UInt8] {
        var bytes = Array(local)
        guard overflow != 0 else { return bytes }
        var chain = try OverflowChain(of: self, in: pages, layout)
        bytes.reserveCapacity(size)
        while let (page, content) = try chain.next() { bytes += page.bytes[content] }
        return bytes
    }
}
