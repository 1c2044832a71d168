internal import Synchronization

/// The elements of a stream that its task has not taken yet. Any thread may use it.
final class StreamBuffer<Element: Sendable>: Sendable {
    private struct State {
        /// Those before `first` were taken.
        var elements: [Element] = []
        var first = 0
        var isOver = false

        var isEmpty: Bool { first == elements.count }

        mutating func take() -> Element? {
            guard !isEmpty else { return nil }
            defer {
                first += 1
                // So that each element is moved once on average.
                if first * 2 >= elements.count {
                    elements.removeFirst(first)
                    first = 0
                }
            }
            return elements[first]
        }
    }

    private let state = Mutex(State())
    /// Wakes the task: each element means that there may be something to take.
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Whether nothing is added any more: the list has ended, or the task was cancelled.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds an element after the others.
    ///
    /// - Parameter merge: Makes one of the last element, if that was not taken yet, and the new
    ///   one. nil to leave both.
    func add(_ element: Element, merge: ((Element, Element) -> Element)? = nil) {
        state.withLock { state in
            guard !state.isOver else { return }
            if let merge, !state.isEmpty, let last = state.elements.popLast() {
                state.elements.append(merge(last, element))
            } else {
                state.elements.append(element)
            }
        }
        signal.yield()
    }

    /// Nothing is added any more. What was added can still be taken.
    func finish() {
        state.withLock { $0.isOver = true }
        signal.finish()
    }

    /// The next element; nil at the end, or if the task is cancelled, which ends the stream.
    func next(isolation: isolated (any Actor)?) async -> Element? {
        while !Task.isCancelled {
            if let element = take() { return element }
            if isOver { return nil }
            var signals = signals.makeAsyncIterator()
            guard await signals.next(isolation: isolation) != nil else { return Task.isCancelled ? cancel() : take() }
        }
        return cancel()
    }

    private func take() -> Element? {
        let (element, isLast) = state.withLock { state in
            let element = state.take()
            return (element, state.isEmpty)
        }
        // For another task, as one signal can stand for several elements.
        if !isLast { signal.yield() }
        return element
    }

    private func cancel() -> Element? {
        state.withLock { state in
            state.isOver = true
            state.elements = []
            state.first = 0
        }
        signal.finish()
        return nil
    }
}
