internal import Synchronization

/// The elements of a stream that its task has not taken yet. Any thread may use it.
final class StreamBuffer<Element: Sendable>: Sendable {
    private struct Elements {
        /// Elements before `first` were taken.
        var elements: [Element] = []
        var first = 0
        var isOver = false
        /// The tasks that wait for an element, the one that has waited longest first.
        var waiting: [CheckedContinuation<Void, Never>] = []

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

    private let state = Mutex(Elements())

    /// Whether nothing is added any more: the list has ended, or the task was cancelled.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds an element at the end.
    ///
    /// - Parameter merge: Makes one of the last element, if that was not taken yet, and the new
    ///   one. nil to leave both.
    func add(_ element: Element, merge: ((Element, Element) -> Element)? = nil) {
        let task = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isOver else { return nil }
            if let merge, !state.isEmpty, let last = state.elements.popLast() {
                state.elements.append(merge(last, element))
                return nil
            }
            state.elements.append(element)
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        task?.resume()
    }

    /// Nothing is added any more. Elements that were added can still be taken.
    func finish() { end { _ in } }

    /// The next element; nil at the end, or if the task is cancelled, which ends the stream.
    func next(isolation: isolated (any Actor)?) async -> Element? {
        await withTaskCancellationHandler {
            while true {
                let (element, isOver) = state.withLock { ($0.take(), $0.isOver) }
                if element != nil || isOver { return element }
                await waitForElement(isolation: isolation)
            }
        } onCancel: {
            end { state in
                state.elements = []
                state.first = 0
            }
        }
    }

    /// Waits until an element was added that no other task was woken for, or the stream is over.
    private func waitForElement(isolation: isolated (any Actor)?) async {
        await withCheckedContinuation(isolation: isolation) { task in
            let waits = state.withLock { state in
                guard state.isEmpty, !state.isOver else { return false }
                state.waiting.append(task)
                return true
            }
            if !waits { task.resume() }
        }
    }

    private func end(_ change: (inout Elements) -> Void) {
        let tasks = state.withLock { state in
            state.isOver = true
            change(&state)
            return exchange(&state.waiting, with: [])
        }
        for task in tasks { task.resume() }
    }
}
