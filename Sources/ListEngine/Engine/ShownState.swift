/// A state of a list, which the list shows until it shows the next one.
struct ShownState {
    private let reference: BackReference<ListEngine>
    private let version: Int

    /// The state that an engine shows now, or the next one.
    init(_ engine: ListEngine, isNext: Bool) {
        reference = engine.reference
        version = engine.version + (isNext ? 1 : 0)
    }

    /// The engine, while it shows the state; else nil.
    var engine: ListEngine? {
        guard let engine = reference.target, engine.version == version else { return nil }
        return engine
    }
}
