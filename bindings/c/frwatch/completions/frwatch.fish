# Completion of frwatch for fish: options, database files, and the tables and columns of the
# database.

function __frwatch_database
    for word in (commandline -opc)[2..-1]
        if test -f $word
            echo $word
            return 0
        end
    end
    return 1
end

function __frwatch_tables
    sqlite3 -readonly (__frwatch_database) \
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'" 2>/dev/null
end

function __frwatch_columns
    sqlite3 -readonly (__frwatch_database) \
        "SELECT DISTINCT c.name FROM sqlite_schema s, pragma_table_info(s.name) c" 2>/dev/null
end

complete -c frwatch -n 'not __frwatch_database >/dev/null' -F
complete -c frwatch -n '__frwatch_database >/dev/null' -f -a '(__frwatch_tables)'
complete -c frwatch -l sort -x -a '(__frwatch_columns)' -d 'Sort by a column or path'
complete -c frwatch -l section -x -a '(__frwatch_columns)' -d 'Put rows into sections'
complete -c frwatch -l where -x -d 'Show the rows for which an expression is true'
complete -c frwatch -l match -x -d 'Show the documents in which FTS5 finds a text'
complete -c frwatch -l group -x -a '(__frwatch_columns)' -d 'Show a row for each group'
complete -c frwatch -l total -x -d 'Show a total of each group'
complete -c frwatch -l having -x -d 'Show the groups for which an expression is true'
complete -c frwatch -l columns -x -a '(__frwatch_columns)' -d 'Show these columns only'
complete -c frwatch -l identity -x -a '(__frwatch_columns)' -d 'Columns that identify a row of a view'
complete -c frwatch -l limit -x -d 'Show the first rows only'
complete -c frwatch -l rank-tolerance -x -d 'Rank again when so many documents were written'
complete -c frwatch -l immutable -d 'Open a file that nobody changes'
complete -c frwatch -l json -d 'Print one JSON object a line'
complete -c frwatch -l since -x -d 'Print what was touched since a generation'
complete -c frwatch -l tui -d 'Show a table in the terminal'
complete -c frwatch -l color -x -a 'auto always never' -d 'Colour changes'
complete -c frwatch -l once -d 'End instead of following'
complete -c frwatch -l explain -d 'Print how SQLite reads the list'
complete -c frwatch -l quiet -d 'Print neither list nor changes'
complete -c frwatch -l exec -x -d 'Run a command for each delivery'
complete -c frwatch -l sql -x -d 'Execute statements once the list is shown'
complete -c frwatch -l write -d 'Execute the statements on the standard input'
complete -c frwatch -s h -l help -d 'Print help'
complete -c frwatch -s V -l version -d 'Print the version'
