import Foundation

@testable import FetchedResults

/// Holds the threads of background fetches, before they read anything, until it is opened.
final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var isOpenNow = false

    init(_ store: Store) {
        store.willReadInBackground = { [self] isStopped in
            while !isOpen, !isStopped() { usleep(200) }
        }
    }

    var isOpen: Bool {
        get { lock.withLock { isOpenNow } }
        set { lock.withLock { isOpenNow = newValue } }
    }
}
