/// Refers to an object as long as that exists, without retaining it. The object ends the reference
/// before it is released.
///
/// It takes the place of a weak reference: as soon as an object has one of these, counting its
/// other references takes three times as long.
final class BackReference<Target: AnyObject> {
    private(set) unowned var target: Target?

    init(_ target: Target) { self.target = target }

    func end() { target = nil }
}
