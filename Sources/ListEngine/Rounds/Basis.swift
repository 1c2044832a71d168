/// What the shown state of a list rests on, which decides how the next one is worked out.
package enum Basis {
    /// What the last round delivered.
    case committed
    /// What a transaction had written that no round has delivered: the list was fetched inside it.
    case transaction
    /// An earlier round: the list could not follow a later one.
    case failure
}
