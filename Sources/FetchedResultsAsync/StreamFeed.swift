internal import FetchedResults

/// Adds to a stream what happens to its list, on the list's thread.
///
/// The closures of the observation retain this, and this the observation, until the stream is not
/// used any more. Then the list ends as their only owner.
final class StreamFeed<Element: Sendable> {
    private weak var buffer: StreamBuffer<Element>?
    private var observation: ListObservation?

    private init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

    /// The stream of what the closures of an observation add.
    static func stream(_ observe: (StreamFeed) -> ListObservation) -> ListStream<Element> {
        let buffer = StreamBuffer<Element>()
        let feed = StreamFeed(buffer)
        feed.observation = observe(feed)
        return ListStream(buffer: buffer)
    }

    /// Adds an element, or, if nobody waits for one any more, ends the observation.
    func add(_ element: @autoclosure () -> Element, merge: ((Element, Element) -> Element)? = nil) {
        guard let buffer, !buffer.isOver else {
            observation = nil
            return
        }
        buffer.add(element(), merge: merge)
    }

    func finish() { buffer?.finish() }
}
