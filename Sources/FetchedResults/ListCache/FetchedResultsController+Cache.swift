internal import SQLiteKit

/// Keeping the list under the request's cache name, for a later start.
extension FetchedResultsController {
    /// The list as it was kept, if it is that of the state which the transaction under way reads.
    func keptList(_ compiled: CompiledRequest, _ decoder: RowDecoder, _ sections: SectionRowTable?) -> List? {
        guard let cache = store.cache, let (name, signature, stamp) = keptState(compiled),
            let file = cache.read(name, signature, stamp),
            let list = try? List(from: file, decoder, nodes: nodes, sections)
        else { return nil }
        counters.cachedFetches += 1
        return list
    }

    /// Whether the next fetch will probably find the list kept.
    var mayHaveKeptList: Bool {
        guard let cache = store.cache, let (name, signature, stamp) = keptState(compiled) else { return false }
        return cache.mayHave(name, signature, stamp)
    }

    /// What a list has to be kept under to be the one that would be read now; nil if none may be taken.
    private func keptState(_ compiled: CompiledRequest) -> (String, ListSignature, DatabaseStamp)? {
        // A transaction that writes sees more than what is committed.
        guard let name = request.cacheName, !store.connection.isWriting, let signature = signature(compiled),
            let stamp = store.connection.fileName.flatMap(DatabaseStamp.init)
        else { return nil }
        return (name, signature, stamp)
    }

    /// Keeps the list as it is shown, unless it is kept already, or can't be now: in a callback, inside a transaction, while
    /// it is paused, after a failure, while another connection writes. What fails is done without.
    func keepList() {
        sectionRows?.controller?.keepList()
        guard let name = request.cacheName, let cache = store.cache, let list, !store.isClosed, isInOrder,
            let signature = signature(compiled), let stamp = store.stampOfShownState()
        else { return }
        if keptVersion == announcer.version { return cache.restamp(name, stamp) }
        let isKept = cache.write(name, signature, stamp) { list.write(to: $0, decoder.identities, sectionRows?.table) }
        keptVersion = isKept ? announcer.version : nil
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
