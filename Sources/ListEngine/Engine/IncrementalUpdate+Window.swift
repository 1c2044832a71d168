internal import ChangeSets
internal import OrderedTree
internal import SQLiteKit

/// A window has to be read as a whole, as the touched rows do not determine its content.
struct WindowLost: Error {}

/// Following a request with a limit or an offset.
///
/// The list has the rows of the window. It stores which rows are before it (`List.skipped`), but
/// not their order, and nothing of the rows after it. A touched row is searched among the other
/// rows of the window, which determines whether it belongs before, in or after it. Then as many
/// rows as were skipped or unskipped pass the first edge, and as many as the window has too many or
/// too few pass the last one. Rows that enter are read in the order, from the edge on.
extension IncrementalUpdate {
    /// The place of a row in the old list.
    private typealias EdgePlace = (place: TouchedEntry.OldPlace, path: ListIndexPath)

    /// Edits the list, and notes the outcome for each row. Throws `WindowLost` if only reading the
    /// window shows the result.
    mutating func editWindow() throws {
        let limit = compiled.request.limit ?? .max
        if limit == 0 { return noteFates() }
        // A full window may hide rows behind it.
        let isEnd = list.count < limit
        let edges = edgeRows()
        var newSections: [SectionID] = []
        if list.count == 0 {
            for index in 0..<touched.count { noteSkipped(touched.id(at: index), touched[at: index].isInList) }
        } else {
            for index in 0..<touched.count where touched[at: index].fate.removes {
                edit.removeRow(touched.id(at: index))
            }
            // There is no row left to compare with.
            guard list.count > 0 else { throw WindowLost() }
            for index in 0..<touched.count { try place(touched.id(at: index), touched[at: index], isEnd, &newSections) }
        }
        try passFirstEdge(edges, &newSections)
        try passLastEdge(limit: limit, isEnd, edges, &newSections)
        noteFates()
        editSections(newSections)
    }

    /// The rows so near an edge that they may pass it: no more rows do than were touched, and these
    /// themselves may have been there.
    private func edgeRows() -> RowDictionary<EdgePlace> {
        var edges = RowDictionary<EdgePlace>()
        let count = min(2 * touched.count, list.count)
        func add(_ index: Int) {
            guard let (section, row) = list.rows.place(atFlatIndex: index) else { return }
            let id = list.rows.row(section: section, at: row)
            edges.set(
                id,
                (
                    (section, row, list.rows.keyHash(of: id) ?? 0),
                    ListIndexPath(section: list.rows.index(of: section), row: row)
                ))
        }
        if compiled.request.offset > 0 { for index in 0..<count { add(index) } }
        if compiled.request.limit != nil { for index in (list.count - count)..<list.count { add(index) } }
        return edges
    }

    // MARK: Touched rows

    private mutating func noteSkipped(_ id: Int64, _ isSkipped: Bool) {
        if list.skipped?.contains(id) ?? false == isSkipped { return }
        if isSkipped { edit.skip(id) } else { edit.unskip(id) }
    }

    /// Moves a touched row to its place, unless it has stayed there.
    private mutating func place(
        _ id: Int64, _ row: TouchedEntry, _ isEnd: Bool, _ newSections: inout [SectionID]
    ) throws {
        if row.oldPlace != nil, row.fate == .stays { return }
        guard let new = row.new else { return noteSkipped(id, false) }
        let side = try side(of: id, new)
        noteSkipped(id, side == .before)
        if side == nil || side == .after && isEnd { try insert(id, new, &newSections) }
    }

    /// The side of the window's rows on which another row belongs; nil if that is among them.
    private mutating func side(
        of id: Int64, _ new: TouchedEntry.Destination
    ) throws -> WindowNeighbours.Side? {
        let section: SectionID
        switch new.section {
        case .known(let known): section = known
        case .mapped: throw WindowLost()
        case .unknown(let number):
            guard let order = compiled.section?.order else { throw WindowLost() }
            let (index, isThere) = try order.find(unknownSections[number], in: list)
            guard isThere else {
                return side(
                    index < list.sectionCount
                        ? list.rows.flatIndex(section: list.rows.section(at: index), row: 0) : list.count)
            }
            section = list.rows.section(at: index)
        }
        let row: Int
        if !compiled.order.isBytewise, let values = ownOrder?[id] {
            let order = compiled.order
            row = try list.rows.lowerBound(in: section) { try order.isBefore(orderValues(of: $0), values) }
        } else {
            row = unsafe try list.rows.lowerBound(of: new.key.bytes, in: section) { unsafe try key(of: $0) }
        }
        return side(list.rows.flatIndex(section: section, row: row))
    }

    private func side(_ flatIndex: Int) -> WindowNeighbours.Side? {
        flatIndex == 0 ? .before : flatIndex == list.count ? .after : nil
    }

    // MARK: Edges

    /// Moves rows until the window has as many rows before it as the offset says.
    private mutating func passFirstEdge(_ edges: RowDictionary<EdgePlace>, _ newSections: inout [SectionID]) throws {
        guard let skipped = list.skipped?.count else { throw WindowLost() }
        let excess = skipped - compiled.request.offset
        if list.count == 0 {
            if excess > 0 { throw WindowLost() }
            return
        }
        guard -excess < list.count else { throw WindowLost() }
        if excess < 0 {
            for _ in 0..<(-excess) { edit.skip(try leave(at: 0, edges)) }
        } else if excess > 0 {
            let ids = try readNeighbours(excess, .before)
            guard ids.count == excess else { throw WindowLost() }
            for id in ids {
                guard list.skipped?.contains(id) ?? false else { throw WindowLost() }
                edit.unskip(id)
                try enter(id, at: 0, &newSections)
            }
        }
    }

    /// Moves rows until the window has as many rows as the limit says, or as there are.
    private mutating func passLastEdge(
        limit: Int, _ isEnd: Bool, _ edges: RowDictionary<EdgePlace>, _ newSections: inout [SectionID]
    ) throws {
        while list.count > limit { _ = try leave(at: list.count - 1, edges) }
        if isEnd || list.count == limit { return }
        for id in try readNeighbours(limit - list.count, .after) {
            guard !list.holds(id) else { throw WindowLost() }
            try enter(id, at: list.count, &newSections)
        }
    }

    /// Removes a row at an edge.
    private mutating func leave(at flatIndex: Int, _ edges: RowDictionary<EdgePlace>) throws -> Int64 {
        guard let (section, offset) = list.rows.place(atFlatIndex: flatIndex) else { throw WindowLost() }
        let id = list.rows.row(section: section, at: offset)
        if touched.index(of: id) == nil {
            guard let old = edges[id] else { throw WindowLost() }
            var row = TouchedEntry(oldPlace: old.place)
            row.oldPath = old.path
            row.oldContent = try engine.cache.peek(id) ?? engine.readContent(of: id)
            touched.add(id, row)
        }
        edit.removeRow(id)
        return id
    }

    /// Inserts a row at an edge.
    private mutating func enter(_ id: Int64, at flatIndex: Int, _ newSections: inout [SectionID]) throws {
        guard let new = newRow(id) else { throw WindowLost() }
        try insert(id, new, &newSections)
        guard let (section, row) = list.rows.place(of: id), list.rows.flatIndex(section: section, row: row) == flatIndex
        else { throw WindowLost() }
    }

    /// Reads the rows before the first or after the last one, nearest first.
    private mutating func readNeighbours(_ count: Int, _ side: WindowNeighbours.Side) throws -> [Int64] {
        guard let neighbours = compiled.neighbours, try neighbours.areServed(),
            let (section, row) = list.rows.place(atFlatIndex: side == .before ? 0 : list.count - 1)
        else { throw WindowLost() }
        let order = try orderValues(of: list.rows.row(section: section, at: row))
        let values =
            (list.isFlat ? [] : [RowValues.Part(list.section(section).value, 0)])
            + (0..<order.count).map { RowValues.Part(order, $0) }
        var ids: [Int64] = []
        for group in neighbours.groups(side, of: values) where ids.count < count {
            guard let statement = try compiled.boundNeighbours(group, of: values, count: count - ids.count) else {
                break
            }
            defer { statement.reset() }
            engine.counters.statementsRun += 1
            while try statement.step() {
                engine.counters.rowsRead += 1
                let id = decoder.id(statement)
                if newRow(id) == nil { try readRow(statement) }
                ids.append(id)
            }
        }
        return ids
    }

    // MARK: Results

    private mutating func noteFates() {
        for index in 0..<touched.count {
            let isShown = list.rows.contains(touched.id(at: index))
            if !isShown { touched[at: index].new = nil }
            switch (touched[at: index].oldPlace != nil, isShown) {
            case (true, true): if touched[at: index].fate == .went { touched[at: index].fate = .reordered }
            case (true, false): touched[at: index].fate = .went
            case (false, true): touched[at: index].fate = .came
            case (false, false): touched[at: index].fate = .stays
            }
        }
    }

    private mutating func editSections(_ newSections: [SectionID]) {
        if list.isFlat { return }
        var removed: Set<SectionID> = []
        for (_, row) in touched where row.fate.removes {
            guard let id = row.oldPlace?.section, let path = row.oldPath, !removed.contains(id),
                list.rows.rowCount(in: id) == 0
            else { continue }
            removeSection(id, oldIndex: path.section)
            removed.insert(id)
        }
        for id in newSections where list.rows.rowCount(in: id) == 0 { edit.removeSection(id) }
        note(newSections: newSections.filter { list.rows.contains($0) })
    }
}
