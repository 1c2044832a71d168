internal import SQLiteKit

/// Which file has the list as it is shown.
struct CachedFile: Equatable {
    /// The version of the list and, in a section map, that of its sections: hidden ones change without a change of the
    /// list.
    let version: Int
    let sectionsVersion: Int
    let contents: ListCache.Contents
}

/// Caching the list under the request's cache name, for a later start.
extension FetchedResultsController {
    /// The list as it was cached, if it is that of the state which the transaction under way reads.
    func cachedList(_ compiled: CompiledRequest, _ decoder: RowDecoder, _ sections: SectionRowTable?) -> List? {
        // A commit between the beginning of the transaction and now could have been cached already.
        guard let cache = store.cache, let (name, signature, stamp) = cachedState(compiled),
            stamp == store.stampBeforeFetch, let file = cache.read(name, signature, stamp),
            let list = try? List(from: file, decoder, nodes: nodes, sections)
        else { return nil }
        counters.cachedFetches += 1
        return list
    }

    /// Whether the next fetch will probably find the list cached.
    var mayHaveCachedList: Bool {
        guard let cache = store.cache, let (name, signature, stamp) = cachedState(compiled) else { return false }
        return cache.mayHave(name, signature, stamp)
    }

    /// What a list has to be cached under to be the one that would be read now; nil if none may be taken.
    private func cachedState(_ compiled: CompiledRequest) -> (String, ListSignature, DatabaseStamp)? {
        // A transaction that writes sees more than what is committed, an immutable store less than what is in the log.
        guard let name = request.cacheName, !store.connection.isWriting, let signature = signature(compiled),
            let stamp = store.connection.fileName.flatMap(DatabaseStamp.init), !(store.isImmutable && stamp.hasLog)
        else { return nil }
        return (name, signature, stamp)
    }

    /// Notes that the list, which has just been shown, is that of its file.
    func noteCached() {
        cachedFile = request.cacheName.flatMap { store.cache?.contents(of: $0) }.map(currentFile)
    }

    private func currentFile(_ contents: ListCache.Contents) -> CachedFile {
        let sectionsVersion = sectionRows?.controller?.announcer.version ?? 0
        return CachedFile(version: announcer.version, sectionsVersion: sectionsVersion, contents: contents)
    }

    /// Caches the list as it is shown, unless it is cached already, or can't be now: in a callback, inside a
    /// transaction, while it is paused, after a failure, while another connection writes. A failure leaves the list
    /// uncached.
    ///
    /// A map's sections are paused, read and shown with the map, so that it alone knows whether they are in order.
    func cacheList() {
        guard !isOwned, !store.isClosed, isInOrder else { return }
        writeToCache()
        if let sections = sectionRows?.controller, sections.isInOrder { sections.writeToCache() }
    }

    private func writeToCache() {
        guard let name = request.cacheName, let cache = store.cache, let list, let signature = signature(compiled),
            let stamp = store.stampOfShownState()
        else { return }
        if let contents = cachedFile?.contents, contents.signatureHash == signature.hash,
            cachedFile == currentFile(contents), cache.restamp(name, contents, stamp)
        {
            return
        }
        let contents = cache.write(name, signature, stamp) {
            list.write(to: $0, decoder.identities, sectionRows?.table)
        }
        cachedFile = contents.map(currentFile)
    }

    /// Whether the list shows what was last committed, as far as the store has delivered it.
    private var isInOrder: Bool {
        failure == nil && pending == nil && !pause.holdsBack && !wasFetchedInTransaction && fetch == nil
    }

    /// nil if the list depends on more than can be told.
    private func signature(_ compiled: CompiledRequest) -> ListSignature? {
        guard let cache = store.cache, compiled.isRepeatable(on: store.connection),
            let dialect = try? store.connection.readDialect()
        else { return nil }
        var signature = ListSignature(compiled, database: cache.database, dialect: dialect)
        if let sectionRows, !sectionRows.sign(&signature) { return nil }
        return signature
    }
}

extension SectionRows {
    /// Adds what a map's sections depend on; false if that is more than can be told.
    fileprivate func sign(_ signature: inout ListSignature) -> Bool {
        signature.append(text: options.sectionKey ?? "")
        signature.append(number: Int(options.emptySections.rawValue))
        signature.append(number: Int(options.itemsWithoutSection.rawValue))
        switch source {
        case .keys(let keys): signature.append(values: keys)
        case .request(let controller):
            guard controller.compiled.isRepeatable(on: store.connection) else { return false }
            signature.append(controller.compiled)
        }
        return true
    }
}

extension CompiledRequest {
    /// Whether the list is the same at any time as long as the main database stays as it is.
    fileprivate func isRepeatable(on connection: Connection) -> Bool {
        (try? RequestCompiler(connection: connection).isRepeatable(access)) ?? false
    }
}
