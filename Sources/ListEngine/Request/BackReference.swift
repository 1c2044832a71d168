/// Refers to an object as long as that exists, without retaining it. The object ends the reference
/// before it is released.
///
/// Used in place of a weak reference: once an object has weak references, counting its strong ones
/// takes three times as long.
package final class BackReference<Target: AnyObject> {
    package private(set) unowned var target: Target?

    package init(_ target: Target) { self.target = target }

    package func end() { target = nil }
}
