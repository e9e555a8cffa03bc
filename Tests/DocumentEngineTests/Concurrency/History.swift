// SPDX-License-Identifier: Apache-2.0

/// The requests and answers of a database's clients, with times: enough to decide whether the history is linearizable.
struct History: Codable {
    /// A document of the model: numbers by field.
    struct Document: Codable, Hashable {
        var fields: [String: Int64]
        var createTime: Int64
        var updateTime: Int64
    }

    struct Write: Codable {
        enum Operation: Codable {
            case set([String: Int64])
            /// Sets some fields, deletes others, keeps the rest.
            case merge([String: Int64], deleting: [String])
            case increment(String, Int64)
            case delete
            case verify
        }

        enum Precondition: Codable {
            case exists(Bool)
            case updateTime(Int64)
        }

        let document: Int
        let operation: Operation
        let precondition: Precondition?
    }

    struct Event: Codable {
        enum Action: Codable {
            case commit([Write])
            case read(Int)
        }

        enum Answer: Codable, Equatable {
            /// The commit's time, and each write's update time.
            case committed(Int64, [Int64?])
            /// The number of the status.
            case refused(Int)
            case document(Document?)
        }

        /// The machine's clock in nanoseconds, which all processes share: before the call, and after its answer.
        let start: UInt64
        let end: UInt64
        let action: Action
        let answer: Answer
    }

    var events: [Event] = []

    /// The contents of the database after a commit.
    private typealias State = [Int: Document]

    /// Why the history is not linearizable; nil if it is.
    func contradiction() -> String? {
        let commits = events.filter { if case .committed = $0.answer { true } else { false } }
            .sorted { History.time($0) < History.time($1) }
        for (one, next) in zip(commits, commits.dropFirst()) where History.time(one) == History.time(next) {
            return "two commits have one time: \(one), \(next)"
        }
        // An operation that began after the end of another one comes after it.
        var latestStart: UInt64 = 0
        for commit in commits {
            if commit.end < latestStart { return "a commit comes after one that began when it had ended: \(commit)" }
            latestStart = max(latestStart, commit.start)
        }
        var states: [State] = [[:]]
        for commit in commits {
            guard case .commit(let writes) = commit.action else { continue }
            var state = states[states.count - 1]
            let answer = History.apply(writes, at: History.time(commit), to: &state)
            guard answer == commit.answer else { return "expected \(answer) of \(commit)" }
            states.append(state)
        }
        for event in events {
            if case .committed = event.answer { continue }
            let first = commits.lastIndex { $0.end < event.start }.map { $0 + 1 } ?? 0
            let last = commits.firstIndex { $0.start > event.end } ?? commits.count
            let isPossible =
                first <= last
                && (first...last).contains { History.answer(event, in: states[$0]) == event.answer }
            guard isPossible else { return "no state between call and answer gives this: \(event)" }
        }
        return nil
    }

    private static func time(_ event: Event) -> Int64 {
        if case .committed(let time, _) = event.answer { time } else { 0 }
    }

    private static func answer(_ event: Event, in state: State) -> Event.Answer {
        switch event.action {
        case .read(let document): return .document(state[document])
        case .commit(let writes):
            var copy = state
            return apply(writes, at: .max, to: &copy)
        }
    }

    private static func apply(_ writes: [Write], at time: Int64, to state: inout State) -> Event.Answer {
        if areContradictory(writes) { return .refused(3) }
        let before = state
        var times: [Int64?] = []
        for write in writes {
            let old = state[write.document]
            let refusal: Int? =
                switch write.precondition {
                case .exists(true) where old == nil: 5
                case .exists(false) where old != nil: 6
                case .updateTime(let time) where old?.updateTime != time: 9
                default: nil
                }
            if let refusal {
                state = before
                return .refused(refusal)
            }
            let new = fields(after: write.operation, old?.fields)
            if case .verify = write.operation {
                times.append(old?.updateTime)
            } else if let new, let old, new == old.fields {
                times.append(old.updateTime)
            } else {
                times.append(new == nil ? nil : time)
                state[write.document] = new.map {
                    Document(fields: $0, createTime: old?.createTime ?? time, updateTime: time)
                }
            }
        }
        return .committed(time, times)
    }

    /// Whether a write requires of a document what one before it has ruled out (W-5).
    private static func areContradictory(_ writes: [Write]) -> Bool {
        var exists: [Int: Bool] = [:]
        return writes.contains { write in
            if case .verify = write.operation { return false }
            let required: Bool? =
                switch write.precondition {
                case nil: nil
                case .exists(let exists): exists
                case .updateTime: true
                }
            if let required, let known = exists[write.document], known != required { return true }
            if case .delete = write.operation { exists[write.document] = false } else { exists[write.document] = true }
            return false
        }
    }

    private static func fields(after operation: Write.Operation, _ old: [String: Int64]?) -> [String: Int64]? {
        switch operation {
        case .set(let fields): return fields
        case .merge(let fields, let deleted):
            var new = (old ?? [:]).merging(fields) { $1 }
            for name in deleted { new[name] = nil }
            return new
        case .increment(let name, let amount):
            var new = old ?? [:]
            new[name, default: 0] += amount
            return new
        case .delete: return nil
        case .verify: return old
        }
    }
}
