/// A value that C code refers to by the address of its box.
final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
