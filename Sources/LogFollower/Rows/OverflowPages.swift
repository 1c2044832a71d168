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
        for page in try cell.chain(in: pages, layout) { cellPages[page.number] = cell.page.number }
    }

    mutating func remove(_ cell: Cell, in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) {
        for page in try cell.chain(in: pages, layout) { cellPages[page.number] = nil }
    }
}

extension PageOwners {
    /// Whether a page contains rows of a tree: a leaf, or any page of a table WITHOUT ROWID.
    func holdsRows(_ owner: Owner, of tree: Int) -> Bool {
        owner.tree == tree && (!owner.isInterior || trees[tree].isIndex)
    }
}

extension Cell {
    /// The overflow pages of a record, in order (https://www.sqlite.org/fileformat.html#ovflpgs).
    func chain(in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) -> [Page] {
        var chain: [Page] = []
        var left = size - localSize
        var next = overflow
        while left > 0 {
            guard next > 0, next <= pages.pageCount else { throw .pages }
            let page = try pages.page(next)
            chain.append(page)
            next = try page.word(0)
            left -= layout.usableSize - 4
        }
        return chain
    }

    /// The whole record.
    func record(in pages: some PageState, _ layout: PageLayout) throws(Uncertainty) -> [UInt8] {
        var bytes = Array(local)
        guard overflow != 0 else { return bytes }
        bytes.reserveCapacity(size)
        for page in try chain(in: pages, layout) {
            let count = min(size - bytes.count, layout.usableSize - 4)
            guard 4 + count <= page.bytes.count else { throw .pages }
            bytes += page.bytes[4..<4 + count]
        }
        return bytes
    }
}
