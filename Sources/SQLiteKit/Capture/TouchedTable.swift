/// The rows of one table that were touched.
package struct TouchedTable {
    package let watch: TableWatch
    package var rows: TouchedRows

    package init(_ watch: TableWatch, _ rows: TouchedRows) {
        self.watch = watch
        self.rows = rows
    }
}
