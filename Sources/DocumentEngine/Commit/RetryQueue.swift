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
/// There may be thousands of them, which nothing compares in pairs: one that waits follows the nearest earlier ticket that overlaps, and
/// looks for the next one behind it when that ticket is gone. A look compares only so much; beyond that, the next ticket counts as one
/// that overlaps, so that some wait longer than they must.
///
/// A turn ends by itself after a while, and a wait too, because clients may have died. This type only decides; it has no clock and
/// blocks nobody. Times are measured from any one moment and never decrease.
package struct RetryQueue: Sendable {
    /// The caller's name of a transaction.
    package typealias ID = UInt64

    /// Counts the tickets, so that one who leaves and asks again has another.
    private typealias Number = Int

    private struct Ticket {
        let id: ID
        let footprint: Footprint
        let entered: Duration
        var granted: Duration?
        /// The tickets before and behind this one, in the order in which they were asked for.
        var earlier: Number?
        var later: Number?
        /// Those that wait for the end of this one. Some may be gone, or have begun.
        var followers: [Number] = []
    }

    private var tickets: [Number: Ticket] = [:]
    private var numbers: [ID: Number] = [:]
    private var granted: Set<Number> = []
    private var last: Number?
    private var count = 0
    private let turn: Duration
    private let longestWait: Duration
    private let workLimit: Int

    /// - Parameters:
    ///   - turn: how long a turn lasts at most.
    ///   - longestWait: how long a transaction waits at most; then its turn begins beside those of others.
    ///   - workLimit: how many documents and scopes of tickets a call compares.
    package init(turn: Duration = .seconds(1), longestWait: Duration = .seconds(10), workLimit: Int = 100_000) {
        self.turn = turn
        self.longestWait = longestWait
        self.workLimit = workLimit
    }

    /// Asks for a turn. A transaction that has or waits for one does not ask again before it leaves.
    ///
    /// - Returns: whether it has begun. Otherwise a later call returns the transaction among those whose turn begins.
    package mutating func enter(_ id: ID, _ footprint: Footprint, at now: Duration) -> Bool {
        var work = workLimit
        let obstacle = obstacle(to: footprint, from: last, &work)
        count += 1
        tickets[count] = Ticket(id: id, footprint: footprint, entered: now, earlier: last)
        numbers[id] = count
        if let last { tickets[last]?.later = count }
        last = count
        if let obstacle {
            tickets[obstacle]?.followers.append(count)
        } else {
            begin(count, at: now)
        }
        return obstacle == nil
    }

    /// Ends the turn of a transaction, or its wait for one: it was committed, aborted or given up. Does nothing for one that has
    /// none.
    ///
    /// - Returns: the transactions whose turns begin.
    package mutating func leave(_ id: ID, at now: Duration) -> [ID] {
        guard let number = numbers[id] else { return [] }
        var work = workLimit
        return remove(number, at: now, &work)
    }

    /// Ends the turns and waits that have lasted too long. Call it at ``nextExpiry``.
    ///
    /// - Returns: the transactions whose turns begin.
    package mutating func expire(at now: Duration) -> [ID] {
        let over = tickets.filter { expiry(of: $0.value) <= now }
        var work = workLimit
        var begun: [ID] = []
        for (number, ticket) in over.sorted(by: { $0.key < $1.key }) {
            if ticket.granted != nil {
                begun += remove(number, at: now, &work)
            } else if !granted.contains(number), let id = begin(number, at: now) {
                begun.append(id)
            }
        }
        return begun
    }

    /// When the next turn or wait will have lasted too long; nil if there is none.
    package var nextExpiry: Duration? { tickets.values.lazy.map { expiry(of: $0) }.min() }

    private func expiry(of ticket: Ticket) -> Duration {
        ticket.granted.map { $0 + turn } ?? ticket.entered + longestWait
    }

    /// Whether a commit of these writes must not be made now, because another transaction has its turn there.
    ///
    /// - Parameter id: the transaction that commits; nil for a commit without reads.
    package func mustYield(_ writes: [Write], by id: ID?) -> Bool {
        guard !granted.isEmpty else { return false }
        let footprint = Footprint(nil, writes)
        var work = workLimit
        for number in granted {
            guard let ticket = tickets[number], ticket.id != id else { continue }
            // Rather than yield without need: in its own turn, a transaction would be aborted again and again.
            guard work > 0 else { return false }
            if overlap(ticket.footprint, footprint, &work) { return true }
        }
        return false
    }

    // MARK: - Tickets

    /// The nearest ticket, from one on towards the earlier ones, that keeps another from beginning.
    private func obstacle(to footprint: Footprint, from first: Number?, _ work: inout Int) -> Number? {
        var next = first
        while let number = next, let ticket = tickets[number] {
            if work <= 0 || overlap(ticket.footprint, footprint, &work) { return number }
            next = ticket.earlier
        }
        return nil
    }

    private func overlap(_ one: Footprint, _ other: Footprint, _ work: inout Int) -> Bool {
        work -= 1 + one.size + other.size
        return one.overlaps(other)
    }

    /// Begins the turn of a ticket, and returns whose it is.
    @discardableResult
    private mutating func begin(_ number: Number, at now: Duration) -> ID? {
        tickets[number]?.granted = now
        granted.insert(number)
        return tickets[number]?.id
    }

    /// Removes a ticket, and returns the transactions whose turns begin.
    private mutating func remove(_ number: Number, at now: Duration, _ work: inout Int) -> [ID] {
        guard let ticket = tickets.removeValue(forKey: number) else { return [] }
        numbers[ticket.id] = nil
        granted.remove(number)
        if let earlier = ticket.earlier { tickets[earlier]?.later = ticket.later }
        if let later = ticket.later { tickets[later]?.earlier = ticket.earlier } else { last = ticket.earlier }
        var begun: [ID] = []
        for follower in ticket.followers {
            guard let waiting = tickets[follower], waiting.granted == nil else { continue }
            // Those between the two were found not to overlap.
            if let obstacle = obstacle(to: waiting.footprint, from: ticket.earlier, &work) {
                tickets[obstacle]?.followers.append(follower)
            } else if let id = begin(follower, at: now) {
                begun.append(id)
            }
        }
        return begun
    }
}
