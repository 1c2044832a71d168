internal import ListEngine
internal import SQLiteKit

/// The file that has the list as it is shown.
final class CachedFile {
    /// The version of the list and, in a section map, the version of its sections: hidden ones
    /// change without a change of the list.
    let version: Int
    let sectionsVersion: Int
    /// The documents that were written since it was ranked.
    private let written: (documents: Int, matches: Int)
    let contents: ListCache.Contents

    init(_ engine: ListEngine, _ contents: ListCache.Contents) {
        version = engine.version
        sectionsVersion = engine.mappedSections?.engine?.version ?? 0
        written = engine.compiled.statistics?.written ?? (0, 0)
        self.contents = contents
    }

    /// Whether both have the same version of the list in the same file.
    func isSame(as other: CachedFile) -> Bool {
        version == other.version && sectionsVersion == other.sectionsVersion && written == other.written
            && contents == other.contents
    }
}

/// Caching the list under the request's cache name, for a later start.
extension FetchedResultsController {
    /// The cached list, if it is of the state that the open transaction reads, or of an earlier one
    /// if the changes since that are known.
    func cachedList(
        _ engine: ListEngine, _ decoder: KeyDecoder, _ watches: Watches, _ sections: FetchedSections?
    ) -> CachedList? {
        // A commit between the beginning of the transaction and now could have been cached already.
        guard let cache = store.cache, let (name, signature, stamp) = cachedState(engine, decoder.compiled),
            let present = store.stateBeforeFetch, stamp == present.stamp,
            let (state, file) = cache.read(name, signature)
        else { return nil }
        do {
            var round: Round?
            if !stamp.isState(of: state.stamp) {
                let forwarding = Forwarding(compiled: decoder.compiled, watches: watches, sections: sections)
                guard let changes = try store.changes(since: state, present, forwarding) else { return nil }
                round = changes
            }
            let statistics = try RankStatistics.read(from: file)
            let decoder = try decoder.with(decoder.compiled.with(statistics))
            let list = try List(from: file, decoder, nodes: engine.nodes, sections?.table)
            guard let round, !round.isEmpty else { return (list, decoder, true) }
            guard Forwarding.isWorth(round.rowCount, in: list, decoder.compiled) else { return nil }
            let isUpdated = try engine.bring(list, forwardBy: round, watches, decoder, sections, spells: false)
            return isUpdated ? (list, decoder, false) : nil
        } catch {
            // The list is read, which reports why the database can't be read.
            return nil
        }
    }

    /// Whether the next fetch will probably find the list cached.
    var mayHaveCachedList: Bool {
        guard let cache = store.cache, let (name, signature, stamp) = cachedState(engine, engine.compiled),
            let state = cache.state(of: name, signature)
        else { return false }
        // A list that can't be read now is read in the background, which reports why.
        return stamp.isState(of: state.stamp) || (try? store.canDetermineChanges(since: state, stamp)) ?? false
    }

    /// The state of which a cached list has to be, to equal the one that would be read now; nil if
    /// none may be used. A list by rank is what it was, with the same statistics, until it is
    /// fetched again.
    private func cachedState(
        _ engine: ListEngine, _ compiled: CompiledRequest
    ) -> (String, ListSignature, DatabaseStamp)? {
        if compiled.ranks, engine.list != nil { return nil }
        // A transaction that writes also shows its own changes; an immutable store does not show
        // the changes in the log.
        guard let name = engine.request.cacheName, !store.connection.isWriting,
            let signature = signature(engine, compiled),
            let stamp = store.connection.fileName.flatMap(DatabaseStamp.init), !(store.isImmutable && stamp.hasLog)
        else { return nil }
        return (name, signature, stamp)
    }

    /// Notes whether a list and its sections, which have just been shown, equal their files.
    func noteCached(_ fetched: FetchedState) {
        if fetched.origin == .cache { cachedFiles.list = file(of: engine) }
        if fetched.areSectionsCached { cachedFiles.sections = engine.mappedSections?.engine.flatMap(file) }
    }

    private func file(of engine: ListEngine) -> CachedFile? {
        engine.request.cacheName.flatMap { store.cache?.contents(of: $0) }.map { CachedFile(engine, $0) }
    }

    /// Caches the list as it is shown, unless it is cached already, or can't be cached now: in a
    /// callback, inside a transaction, while it is paused, after a failure, while another
    /// connection writes. Returns what failed, which the store reports as well when it closes.
    ///
    /// A map's sections are paused, read and shown with the map, so only the map's state says
    /// whether they are in order.
    @discardableResult
    func cacheList() -> StoreError? {
        guard !store.isClosed, !store.connection.isForked, state.isCurrent, !engine.isBetweenStates, fetch == nil else {
            return nil
        }
        let failure = cache(engine, &cachedFiles.list)
        return failure ?? engine.mappedSections?.engine.flatMap { cache($0, &cachedFiles.sections) }
    }

    /// Writes the list of an engine to a file.
    private func cache(_ engine: ListEngine, _ file: inout CachedFile?) -> StoreError? {
        guard let name = engine.request.cacheName, let list = engine.list,
            let signature = signature(engine, engine.compiled), let state = store.markOfShownState()
        else { return nil }
        let written = store.caching(name) { [file] cache throws(StoreError) in
            if let file, file.contents.signatureHash == signature.hash,
                file.isSame(as: CachedFile(engine, file.contents)), try cache.restamp(name, file.contents, state)
            {
                return file
            }
            let contents = try cache.write(name, signature, state) {
                RankStatistics.write(engine.compiled.statistics, to: $0)
                list.write(to: $0, engine.decoder.identities, engine.mappedSections?.table)
            }
            return CachedFile(engine, contents)
        }
        switch written {
        case .success(let new):
            file = new
            return nil
        case .failure(let error):
            file = nil
            return error
        }
    }

    /// nil if not all dependencies of the list are known.
    private func signature(_ engine: ListEngine, _ compiled: CompiledRequest) -> ListSignature? {
        // Without a signature the list is read from the database, which reports why that fails.
        guard let database = store.connection.fileName, compiled.isRepeatable(on: store.connection),
            let dialect = try? store.connection.readDialect()
        else { return nil }
        var signature = ListSignature(compiled, database: store.cache?.database ?? database, dialect: dialect)
        if let sections = engine.mappedSections, !sections.sign(&signature, store.connection) { return nil }
        return signature
    }
}

extension MappedSections {
    /// Adds the dependencies of a map's sections; false if not all of them are known.
    fileprivate func sign(_ signature: inout ListSignature, _ connection: Connection) -> Bool {
        signature.append(text: options.sectionKey ?? "")
        signature.append(number: Int(options.emptySections.rawValue))
        signature.append(number: Int(options.itemsWithoutSection.rawValue))
        if let keys { signature.append(values: keys) }
        guard let engine else { return true }
        guard engine.compiled.isRepeatable(on: connection) else { return false }
        signature.append(engine.compiled)
        return true
    }
}
