# Completion of frwatch for bash: options, database files, and the tables and columns of the
# database.

_frwatch_names() { # SQL: what the database on the command line answers
    local word database=
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ -f $word ]] && database=$word && break
    done
    [[ -n $database ]] && sqlite3 -readonly "$database" "$1" 2>/dev/null
}

_frwatch() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local tables="SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    local columns="SELECT DISTINCT c.name FROM sqlite_schema s, pragma_table_info(s.name) c"
    local word has_database=
    COMPREPLY=()
    case $previous in
    --sort | --section | --group | --columns | --identity)
        mapfile -t COMPREPLY < <(compgen -W "$(_frwatch_names "$columns")" -- "$current")
        return
        ;;
    --color)
        mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$current")
        return
        ;;
    --where | --match | --total | --having | --limit | --rank-tolerance | --since | --exec | --sql)
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "--sort --section --where --match --group --total --having --columns --identity \
            --limit --rank-tolerance --immutable --json --since --tui --color --once --explain --quiet --exec --sql --write --help \
            --version" -- "$current")
        return
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ -f $word ]] && has_database=yes
    done
    if [[ -n $has_database ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_frwatch_names "$tables")" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _frwatch frwatch
