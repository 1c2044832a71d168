internal import SQLiteKit

/// A table or index of the database, which is a tree of pages.
struct Tree {
    /// The table's name; empty for an index.
    let table: ExactText
    let root: UInt32
    /// Whether the rows are in the order of a key, as in an index: a table WITHOUT ROWID, or an
    /// index.
    let isIndex: Bool
}

/// Which tree each page belongs to, as a leaf or above the leaves, in two bytes per page.
///
/// It is made from the pages above the leaves alone. The edges that such pages remove and add keep
/// it up to date.
struct PageOwners {
    /// The tree that a page belongs to, and whether the page is above the leaves.
    struct Owner: Equatable {
        fileprivate let code: UInt16

        /// A page of no tree.
        static let none = Owner(code: 0)

        private init(code: UInt16) { self.code = code }

        init(tree: Int, isInterior: Bool) { code = UInt16(tree + 1) << 1 | (isInterior ? 1 : 0) }

        /// nil for a page of no tree.
        var tree: Int? { code == 0 ? nil : Int(code >> 1) - 1 }
        var isInterior: Bool { code & 1 == 1 }
    }

    /// A page that may have changed from one state to the next.
    struct PageChange {
        let page: UInt32
        let old: Owner
        let new: Owner
        let isWritten: Bool
        /// Whether overflow pages of its rows were written.
        var hasWrittenOverflow = false
    }

    static var mostTrees: Int { 32_000 }
    /// SQLite reads no tree that has more (`BTCURSOR_MAX_DEPTH` in btreeInt.h).
    fileprivate static var mostLevels: Int { 20 }

    let trees: [Tree]
    private var owners: [Owner]
    /// The number of pages that belong to trees.
    private(set) var count: Int

    /// Reads all trees of a state.
    init(_ roots: [(table: ExactText, root: UInt32)], in pages: OldPages) throws(Uncertainty) {
        guard roots.count <= Self.mostTrees else { throw .layout }
        owners = Array(repeating: .none, count: Int(pages.pageCount) + 1)
        count = 0
        var trees: [Tree] = []
        for (number, root) in roots.enumerated() {
            guard let kind = Page(number: root.root, bytes: try pages.read(root.root)).kind else { throw .pages }
            trees.append(Tree(table: root.table, root: root.root, isIndex: kind.isIndex))
            try Self.walk(number, from: root.root, pages, &owners)
        }
        self.trees = trees
        count = owners.count { $0 != .none }
    }

    /// Notes the pages below a root, level by level. All leaves of a tree have the same depth, so
    /// that reading the first page of the level below suffices to detect that these are leaves.
    private static func walk(
        _ tree: Int, from root: UInt32, _ pages: OldPages, _ owners: inout [Owner]
    ) throws(Uncertainty) {
        var level = [root]
        for _ in 0..<mostLevels {
            guard let first = level.first else { return }
            let isInterior = Page(number: first, bytes: try pages.read(first)).kind?.isInterior ?? false
            var below: [UInt32] = []
            for page in level {
                guard page > 0, page < owners.count, owners[Int(page)] == .none else { throw .pages }
                owners[Int(page)] = Owner(tree: tree, isInterior: isInterior)
                guard isInterior else { continue }
                below += try Page(number: page, bytes: try pages.read(page)).children()
                guard below.count < owners.count else { throw .pages }
            }
            level = below
        }
        guard level.isEmpty else { throw .pages }
    }

    func owner(_ page: UInt32) -> Owner { page < owners.count ? owners[Int(page)] : .none }

    /// Pages for which a condition is true.
    func pages(where isWanted: (Owner) -> Bool) -> [UInt32] {
        owners.indices.filter { isWanted(owners[$0]) }.map { UInt32($0) }
    }

    // MARK: The next state

    /// The changes of the pages of trees.
    func changes(_ pages: NewPages) throws(Uncertainty) -> [PageChange] {
        let edges = try Edges(self, pages)
        var affected = pages.written.filter { owner($0) != .none }
        // Most commits write leaves alone.
        if !edges.isEmpty {
            affected = Set(affected).union(edges.removed.keys).union(edges.added.keys).sorted()
        }
        var changes: [PageChange] = []
        changes.reserveCapacity(affected.count)
        for page in affected {
            let isWritten = pages.isWritten(page)
            let old = owner(page)
            let new = try newOwner(page, old, edges, isWritten, pages)
            // The children of a damaged page can be of no tree, or even in neither state.
            if old == .none, new == .none { continue }
            changes.append(PageChange(page: page, old: old, new: new, isWritten: isWritten))
        }
        return changes
    }

    /// Whether edges can leave a page before or after the state in which it is written.
    fileprivate func mayHaveChildren(_ page: UInt32) -> Bool {
        let owner = owner(page)
        return owner.isInterior || owner.tree.map { trees[$0].root == page } ?? false
    }

    private func newOwner(
        _ page: UInt32, _ old: Owner, _ edges: Edges, _ isWritten: Bool, _ pages: NewPages
    ) throws(Uncertainty) -> Owner {
        guard page <= pages.pageCount else { return .none }
        let added = edges.added[page]
        guard let tree = added ?? (edges.removed[page] == nil ? old.tree : nil) else { return .none }
        // A leaf that stays in its place can't change its kind.
        guard isWritten, added != nil || old.isInterior || trees[tree].root == page else {
            return Owner(tree: tree, isInterior: old.isInterior)
        }
        guard let kind = try pages.page(page).kind else { throw .pages }
        return Owner(tree: tree, isInterior: kind.isInterior)
    }

    /// Applies the changes. Each of them has an owner in one of the two states, and so is one of
    /// their pages.
    mutating func apply(_ changes: [PageChange], pageCount: UInt32) {
        let size = Int(pageCount) + 1
        if size > owners.count { owners += Array(repeating: .none, count: size - owners.count) }
        for change in changes {
            if change.old != .none { count -= 1 }
            if change.new != .none { count += 1 }
            owners[Int(change.page)] = change.new
        }
        if size < owners.count { owners.removeLast(owners.count - size) }
    }
}

/// The edges from pages above the leaves to their children that are removed and added from one
/// state to the next.
private struct Edges {
    /// The children, with their trees. A child that stays with its page may be in neither.
    private(set) var removed: [UInt32: Int] = [:]
    private(set) var added: [UInt32: Int] = [:]
    /// For pages that stay in their places: the children that differ before and after. Most
    /// children do not differ.
    private var changed: [UInt32: (old: ArraySlice<UInt32>, new: ArraySlice<UInt32>)] = [:]

    var isEmpty: Bool { removed.isEmpty && added.isEmpty }

    init(_ owners: PageOwners, _ pages: NewPages) throws(Uncertainty) {
        guard pages.written.contains(where: owners.mayHaveChildren) else { return }
        for page in pages.written where page <= pages.pageCount && owners.owner(page).isInterior {
            changed[page] = try Self.changedChildren(of: page, pages)
        }
        try find(owners, pages)
        // If one of these pages moves, all its children have to be examined.
        if changed.keys.contains(where: { removed[$0] != nil }) {
            changed = [:]
            try find(owners, pages)
        }
    }

    /// nil if the page is no longer above the leaves.
    private static func changedChildren(
        of page: UInt32, _ pages: NewPages
    ) throws(Uncertainty) -> (old: ArraySlice<UInt32>, new: ArraySlice<UInt32>)? {
        let newPage = try pages.page(page)
        guard newPage.kind?.isInterior ?? false else { return nil }
        var old = try pages.old.page(page).children()[...]
        var new = try newPage.children()[...]
        while let first = old.first, first == new.first {
            old.removeFirst()
            new.removeFirst()
        }
        while let last = old.last, last == new.last {
            old.removeLast()
            new.removeLast()
        }
        return (old, new)
    }

    private func oldChildren(of page: UInt32, _ pages: NewPages) throws(Uncertainty) -> ArraySlice<UInt32> {
        if let changed = changed[page] { return changed.old }
        return try pages.old.page(page).children()[...]
    }

    private func newChildren(of page: UInt32, _ pages: NewPages) throws(Uncertainty) -> ArraySlice<UInt32> {
        if let changed = changed[page] { return changed.new }
        return try pages.page(page).children()[...]
    }

    private mutating func find(_ owners: PageOwners, _ pages: NewPages) throws(Uncertainty) {
        // Pages above the leaves that left their tree without being written, such as the leaves of
        // a subtree that a DELETE without WHERE frees: their children have left as well.
        var left: Set<UInt32> = []
        // Each pass finds pages that are one level deeper.
        for _ in 0...PageOwners.mostLevels {
            removed = [:]
            added = [:]
            for page in pages.written where owners.owner(page).isInterior { try remove(page, owners, pages) }
            for page in left { try remove(page, owners, pages) }
            let isWhole = try add(owners, pages)
            let more = removed.keys.filter { page in
                added[page] == nil && owners.owner(page).isInterior && !pages.isWritten(page) && !left.contains(page)
            }
            if more.isEmpty {
                // Before the last pass, pages that have left are still followed.
                guard isWhole else { throw .pages }
                return
            }
            left.formUnion(more)
        }
        throw .pages
    }

    private mutating func remove(_ page: UInt32, _ owners: PageOwners, _ pages: NewPages) throws(Uncertainty) {
        guard let tree = owners.owner(page).tree else { return }
        for child in try oldChildren(of: page, pages) { removed[child] = tree }
    }

    /// Follows the new pages above the leaves from the top down. False if a child does not exist,
    /// or was never written.
    private mutating func add(_ owners: PageOwners, _ pages: NewPages) throws(Uncertainty) -> Bool {
        var waiting: [(page: UInt32, tree: Int)] = []
        for page in pages.written where removed[page] == nil && page <= pages.pageCount {
            let owner = owners.owner(page)
            guard let tree = owner.tree, owner.isInterior || owners.trees[tree].root == page else { continue }
            if try pages.page(page).kind?.isInterior ?? false { waiting.append((page, tree)) }
        }
        var isWhole = true
        var done: Set<UInt32> = []
        while let (page, tree) = waiting.popLast() {
            guard done.insert(page).inserted else { continue }
            for child in try newChildren(of: page, pages) {
                guard child > 0, child <= pages.pageCount else {
                    isWhole = false
                    continue
                }
                added[child] = tree
                let isNew = owners.owner(child) == .none
                guard pages.isWritten(child) else {
                    if isNew { isWhole = false }
                    continue
                }
                if isNew || removed[child] != nil, try pages.page(child).kind?.isInterior ?? false {
                    waiting.append((child, tree))
                }
            }
        }
        return isWhole
    }
}
