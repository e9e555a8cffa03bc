// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Gives transactions that must be repeated their turns, in the order in which they ask, so that any number of transactions on one
/// document succeed within their few attempts.
///
/// Attempts run side by side and the first to commit wins. One that is aborted asks for a turn with the footprint of the failed
/// attempt, and begins again when the turn comes: after every earlier one whose footprint overlaps. During a turn, nobody else may
/// commit writes into its footprint: another transaction is aborted at once and asks for a turn itself, and a commit without reads
/// asks for a turn to be made in. So a repeated attempt with the same footprint succeeds. Nobody waits for a later one, so there is
/// no deadlock.
///
/// A turn ends by itself after a while, and a wait too, because clients may have died. This type only decides; it has no clock and
/// blocks nobody. Times are measured from any one moment and never decrease.
package struct RetryQueue: Sendable {
    /// The caller's name of a transaction.
    package typealias ID = UInt64

    private struct Ticket {
        let id: ID
        let footprint: Footprint
        let entered: Duration
        var granted: Duration?
    }

    /// In the order in which they were asked for.
    private var tickets: [Ticket] = []
    private let turn: Duration
    private let longestWait: Duration

    /// - Parameters:
    ///   - turn: how long a turn lasts at most.
    ///   - longestWait: how long a transaction waits at most; then its turn begins beside those of others.
    package init(turn: Duration = .seconds(1), longestWait: Duration = .seconds(10)) {
        self.turn = turn
        self.longestWait = longestWait
    }

    /// Asks for a turn.
    ///
    /// - Returns: whether it has begun. Otherwise a later call returns the transaction among those whose turn begins.
    package mutating func enter(_ id: ID, _ footprint: Footprint, at now: Duration) -> Bool {
        let isFree = !tickets.contains { $0.footprint.overlaps(footprint) }
        tickets.append(Ticket(id: id, footprint: footprint, entered: now, granted: isFree ? now : nil))
        return isFree
    }

    /// Ends the turn of a transaction, or its wait for one: it was committed, aborted or given up. Does nothing for one that has
    /// none.
    ///
    /// - Returns: the transactions whose turns begin.
    package mutating func leave(_ id: ID, at now: Duration) -> [ID] {
        tickets.removeAll { $0.id == id }
        return grant(at: now)
    }

    /// Ends the turns and waits that have lasted too long. Call it at ``nextExpiry``.
    ///
    /// - Returns: the transactions whose turns begin.
    package mutating func expire(at now: Duration) -> [ID] {
        tickets.removeAll { ticket in ticket.granted.map { $0 + turn <= now } ?? false }
        return grant(at: now)
    }

    /// When the next turn or wait will have lasted too long; nil if there is none.
    package var nextExpiry: Duration? {
        tickets.map { ticket in ticket.granted.map { $0 + turn } ?? ticket.entered + longestWait }.min()
    }

    /// Whether a commit of these writes must not be made now, because another transaction has its turn there.
    ///
    /// - Parameter id: the transaction that commits; nil for a commit without reads.
    package func mustYield(_ writes: [Write], by id: ID?) -> Bool {
        let footprint = Footprint(nil, writes)
        return tickets.contains { $0.granted != nil && $0.id != id && $0.footprint.overlaps(footprint) }
    }

    private mutating func grant(at now: Duration) -> [ID] {
        var granted: [ID] = []
        for index in tickets.indices where tickets[index].granted == nil {
            let ticket = tickets[index]
            let isFree = !tickets[..<index].contains { $0.footprint.overlaps(ticket.footprint) }
            guard isFree || ticket.entered + longestWait <= now else { continue }
            tickets[index].granted = now
            granted.append(ticket.id)
        }
        return granted
    }
}
