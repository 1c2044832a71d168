internal import ChangeSets
internal import OrderedTree
package import SQLiteKit

/// Preparing the next state. On throw the list is as it was.
extension ListEngine {
    /// The changes of a round; nil if there are none. Called in the round's read transaction, by
    /// the delivery, or by the list whose sections are the rows. `commit` or `drop` follows. On
    /// throw, rows that the round touched can't be read before the list has recovered.
    package func prepare(_ round: Round, on basis: Basis) throws -> PreparedState? {
        let (round, basis) = try ownRound(round, basis)
        return try preparing(round) { try next(round, basis) }
    }

    /// A reload: the list read as by a fetch. `sharesContents` says whether nothing was missed.
    package func prepareReload(sharesContents: Bool, cached: FindCachedList) throws -> PreparedState? {
        try preparing(.unknown(.pause)) {
            let isHeld = try database.holdReadState(of: compiled.database)
            let fetched = try prepareFetch(cached: cached) { _ in true }
            let next = PreparedState(
                newList: .fetched(fetched), changes: EngineChanges(.reload(from: missedOrigin), self, sections: nil),
                touched: [], sectionRows: nil, sharesContents: sharesContents)
            if !isHeld { next.allContents = try allContents(of: fetched.list, fetched.compiled, fetched.decoder) }
            return next
        }
    }

    /// Takes another request. Called in a read transaction; on throw the list has the old request.
    package func prepare(_ request: FetchRequest, on basis: Basis) throws -> PreparedState? {
        guard let list else { return nil }
        let previous = (self.request, decoder)
        let new = try compile(request)
        let watches = try watch(new)
        do {
            let changed = try groups?.take(request)
            if let changed, !isBehind(basis), showsAlike(request, as: previous.0) {
                noteRequest(request)
                return try preparing(changed) { try self.next(changed, basis) }
            }
            supersede(request, new)
            let next = isBehind(basis) ? try prepareRequest(on: basis) : try prepareReread(list)
            self.watches = watches
            return next
        } catch {
            watches.cancel()
            restore(previous.0, previous.1)
            try groups?.restore()
            throw error
        }
    }

    /// Prepares other settings of a section map, which it has taken already.
    package func prepareSettings(on basis: Basis) throws -> PreparedState? {
        guard let list else { return nil }
        return isBehind(basis) ? try prepareRequest(on: basis) : try prepareReread(list)
    }

    /// The list is read again, as the list is behind.
    private func prepareRequest(on basis: Basis) throws -> PreparedState? {
        let next = try prepare(.unknown(.request), on: basis)
        try noteAhead(next)
        return next
    }

    private func prepareReread(_ list: List) throws -> PreparedState? {
        decoder.identities.dropSpellings()
        let next = try reread(list, .unknown(.request), .request, nil)
        try noteAhead(next)
        prepared = next
        return next
    }

    private func noteAhead(_ next: PreparedState?) throws {
        next?.ahead = Readability(fetched: try database.readDataVersion(), database.fetchedAhead, database).ahead
    }

    /// Prepares other keys of a section map's sections.
    package func prepare(keys: [Value], _ sections: MappedSections, on basis: Basis) throws -> PreparedState? {
        let previous = sections.keys
        guard try isPartAhead(basis) else {
            let next = try prepare(sections.prepare(keys: keys))
            sections.keys = keys
            return next
        }
        sections.keys = keys
        do {
            return try prepareRequest(on: basis)
        } catch {
            sections.keys = previous
            throw error
        }
    }

    /// Prepares another request for a section map's sections.
    package func prepare(
        sectionRequest request: FetchRequest, _ sections: MappedSections, on basis: Basis
    ) throws -> PreparedState? {
        guard let rows = sections.engine else { return nil }
        let previous = (rows.request, rows.decoder)
        do {
            guard try isPartAhead(basis) else { return try prepare(sections.prepare(request)) }
            rows.supersede(request, try rows.compile(request))
            try rows.watchTables()
            return try prepareRequest(on: basis)
        } catch {
            rows.restore(previous.0, previous.1)
            try rows.watchTables()
            throw error
        }
    }

    /// The changes that changed rows of a section map's sections make in the list.
    private func prepare(_ rowChanges: SectionRowChanges?) throws -> PreparedState? {
        guard let list, let watches else { return nil }
        decoder.identities.dropSpellings()
        do {
            var update = try readTouched(Round(), watches, list, rowChanges, decoder)
            let next = try update.apply()
            prepared = next
            return next
        } catch {
            try rowChanges?.revert()
            try mappedSections?.restore()
            throw error
        }
    }

    /// Whether a change of the settings alone would miss changes of the list: it does not show the
    /// state that the last round delivered, or there are changes that are not delivered yet, which
    /// a part that is read again would show already.
    package func isBehind(_ basis: Basis) -> Bool { basis != .committed || database.hasUndeliveredChanges }

    /// Whether a part of the list that is read now would show changes that are not delivered yet,
    /// of this connection or of another one, while the rest does not.
    private func isPartAhead(_ basis: Basis) throws -> Bool {
        try isBehind(basis) || database.hasForeignCommits()
    }

    /// Notes a round that passes while the list stays as it is.
    package func noteMissed(_ round: Round) {
        // Lists of groups show a table that follows only with them.
        if let groups { return groups.noteMissed() }
        let isAhead = readability.ahead != nil || readability.earlier != nil
        readability.missed.note(isAhead ? round.asReread : round, watches, compiled)
        readability.ahead = nil
        mappedSections?.engine?.noteMissed(round)
    }

    private func preparing(_ round: Round, _ body: () throws -> PreparedState?) throws -> PreparedState? {
        let next: PreparedState?
        decoder.identities.dropSpellings()
        do {
            next = try body()
        } catch is PrematureRead {
            restoreSuperseded()
            try mappedSections?.restore()
            throw PrematureRead()
        } catch {
            try groups?.restore()
            restoreSuperseded()
            try mappedSections?.restore()
            noteMissed(round)
            throw error
        }
        prepared = next
        if next == nil {
            readability.ahead = nil
            releaseIdentities()
        }
        // The rows of a map's sections follow only when the map does.
        if !isOfSections { discardMissedRows() }
        return next
    }

    package func discardMissedRows() {
        if !readability.missed.isEmpty { readability.missed = MissedRows() }
        mappedSections?.engine?.discardMissedRows()
    }

    private func next(_ round: Round, _ basis: Basis) throws -> PreparedState? {
        guard let list, let watches else { return nil }
        let rowChanges = try mappedSections?.prepare(round, on: basis)
        do {
            if try mustRecompile(round, basis) {
                try recompile(list)
                // Only now, as the sections' rows can have other ids.
                let reason = rereadReason(round, basis) ?? .schema
                return try reread(renamed(list), round, reason, rowChanges)
            }
            if let reason = rereadReason(round, basis) ?? rereadReason(rowChanges) {
                return try reread(list, round, reason, rowChanges)
            }
            do {
                var update = try readTouched(round, watches, list, rowChanges, decoder)
                if haveRanksDrifted(update.touched, compiled) {
                    return try reread(list, round, .many, rowChanges)
                }
                return try update.apply()
            } catch is WindowLost {
                return try reread(list, round, .window, rowChanges)
            }
        } catch {
            try rowChanges?.revert()
            throw error
        }
    }

    /// Why the list has to be read as a whole for a round; nil if the touched rows are enough.
    private func rereadReason(_ round: Round, _ basis: Basis) -> RereadReason? {
        if basis == .failure { return .recovery }
        if let reason = round.reread { return reason }
        guard let watches else { return nil }
        // The rows that depended on a row before are known from its image: all that the program
        // received are compared.
        if !watches.related.isEmpty, watches.related.contains(where: { round.rows(of: $0.watch)?.hasImages == false }) {
            return .foreign
        }
        if round.origin.contains(.foreign), watches.words.contains(where: { round.rows(of: $0) != nil }) {
            return .foreign
        }
        let touchesOpaque = !watches.opaque.isEmpty && watches.opaque.contains { round.rows(of: $0) != nil }
        if compiled.dependencies.isAnyWrite || touchesOpaque {
            return reasonForWhole
        }
        guard let list else { return nil }
        let isWindow = compiled.request.isWindow
        if isWindow, compiled.neighbours == nil || list.skipped == nil { return .window }
        var count = round.rows(of: watches.entity)?.count ?? 0
        // The same rows, as a rule.
        for watch in watches.documents { count = max(count, round.rows(of: watch)?.count ?? 0) }
        guard areMany(count, list) else { return nil }
        return isWindow ? .window : .many
    }

    /// Why it is read as a whole after a change of a table of which any change may change any row.
    var reasonForWhole: RereadReason { compiled.entity.table == nil ? .view : .related }

    /// Whether so many documents were written that the list gets the present statistics of ranks.
    /// Rounds that are dropped count as well.
    func haveRanksDrifted(
        _ touched: borrowing RowDictionary<TouchedEntry>, _ compiled: CompiledRequest
    ) -> Bool {
        guard compiled.ranks else { return false }
        let matches = touched.ids.indices.count { touched[at: $0].oldPlace != nil || touched[at: $0].isInList }
        guard let statistics = compiled.statistics else { return matches > 0 }
        return statistics.hasDrifted(by: compiled.request.rankTolerance, touched.count, matches)
    }

    /// Whether so many rows were touched that reading all of the list costs less.
    func areMany(_ count: Int, _ list: List) -> Bool {
        guard count > CompiledRequest.few else { return false }
        let many = compiled.many
        return count > many.least && count > (list.count + (list.skipped?.count ?? 0)) / many.share
    }

    /// Whether other sections have other items, which can't be queried one by one, or only by a
    /// predicate that may read whole tables for each.
    private func rereadReason(_ rowChanges: SectionRowChanges?) -> RereadReason? {
        guard let rowChanges else { return nil }
        let isCostly = !compiled.dependencies.opaque.isEmpty && rowChanges.mayMoveItems
        return compiled.touched == nil || isCostly ? .related : nil
    }
}
