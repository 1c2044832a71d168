/// A value that summarizes rows: how many there are, their sum, their mean, their least or greatest
/// value.
///
/// A request with `groupBy` shows its totals as columns of its rows, each under its name.
public struct Total: Hashable, Sendable {
    /// The function that makes a total of the values of an expression. Raw values equal the
    /// values of the C interface.
    public enum Function: Int, Sendable, CaseIterable {
        /// The number of rows; with an expression, the number of rows in which it is true.
        case count = 0
        /// The sum of all values that are not NULL; NULL if there are none. It is an integer if all
        /// values are integers, and a failure if these exceed 64 bits; otherwise it is the
        /// floating point number that is nearest to the exact sum.
        case sum = 1
        /// The exact sum divided by the number of values that are not NULL; NULL if there are none.
        case average = 2
        /// The least value that is not NULL, in the order of the column's collation.
        case min = 3
        /// The greatest value, in the same order.
        case max = 4
    }

    /// The name of the column that shows it.
    public var name: String
    /// The function.
    public var function: Function
    /// A column, a key path or a SQL expression, as in `Sort.keyPath`; nil to count all rows.
    public var expression: String?

    /// A total.
    ///
    /// - Parameters:
    ///   - name: The name of the column that shows it.
    ///   - function: The function.
    ///   - expression: The expression whose values it summarizes; nil to count all rows.
    public init(_ name: String, _ function: Function, of expression: String? = nil) {
        self.name = name
        self.function = function
        self.expression = expression
    }
}
