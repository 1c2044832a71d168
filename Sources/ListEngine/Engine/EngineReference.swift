/// Refers to an engine as long as it exists. All that the engine's deliveries leave behind share
/// one such object, because making a weak reference takes longer than counting a strong one.
final class EngineReference {
    private(set) weak var engine: ListEngine?

    init(_ engine: ListEngine) { self.engine = engine }
}
