/// The events of a list, as an asynchronous sequence: see `LiveList.changes`.
///
/// The stream, unlike the list, may be passed to any task, and does not retain the list. One task
/// iterates over it, once: of two, each would get a part of the elements. An element is added to
/// the stream during the delivery, on the list's thread, and waits until the task takes it.
///
/// The stream ends when the list is released or its store closed, after the elements that wait;
/// for a collection with the last store of its lists. It also ends, immediately, when the
/// task is cancelled. If the stream was cancelled, or is not referred to any more, the list stops
/// adding to it with the next delivery.
public struct ListStream<Element: Sendable>: AsyncSequence, Sendable {
    /// It does not throw.
    public typealias Failure = Never

    let buffer: StreamBuffer<Element>

    /// Takes the elements one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// It does not throw.
        public typealias Failure = Never

        let buffer: StreamBuffer<Element>

        /// Waits for the next element; nil at the end.
        public mutating func next() async -> Element? { await buffer.next(isolation: nil) }

        /// Waits for the next element, without leaving an actor more than necessary; nil at the
        /// end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await buffer.next(isolation: actor)
        }
    }

    /// An iterator over the elements that wait, and all later ones.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}
