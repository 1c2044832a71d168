/// Objects that are released with their last owner, unless something else retains them.
package final class Lifetimes {
    private var objects: [(name: String, exists: () -> Bool)] = []

    package init() {}

    /// Notes an object that will have to be released.
    package func note(_ object: AnyObject, _ name: String) {
        objects.append((name, { [weak object] in object != nil }))
    }

    /// The objects that still exist.
    package var remaining: [String] { objects.filter { $0.exists() }.map(\.name) }
}
