// A program that shows lists in views needs the lists by name as well.
@_exported public import FetchedResults
