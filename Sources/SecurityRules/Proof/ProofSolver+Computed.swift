// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Values that conditions compute from what a request has: sums, durations, texts that are cut or split.
extension ProofSolver {
    /// What a sum or a difference gives; nil if that is not known.
    func computed(_ binary: BinaryOperator, _ left: Site, _ right: Site, _ room: inout Int) -> Value? {
        let sign: Int64 = binary == .add ? 1 : -1
        switch (value(left, &room), value(right, &room)) {
        case (.integer(let first), .integer(let second)):
            let (sum, overflow) = first.addingReportingOverflow(sign &* second)
            return overflow ? nil : .integer(sum)
        case (.string(let first), .string(let second)):
            return binary == .add ? Value.string(Text(first.string + second.string)).taken(from: &room) : nil
        case (.timestamp(let time), _):
            return microseconds(right, &room).flatMap { Timestamp(microseconds: time.microseconds &+ sign &* $0) }
                .map(Value.timestamp)
        default: return nil
        }
    }

    /// `roles[request.auth.uid]`, or `tags[0]`.
    func part(of whole: Site, _ place: Site, _ room: inout Int) -> Value? {
        switch (value(whole, &room), value(place, &room)) {
        case (.map(let fields), .string(let name)): return fields[name]
        case (.array(let elements), .integer(let number)):
            guard let index = Int(exactly: number), elements.indices.contains(index) else { return nil }
            return elements[index]
        default: return nil
        }
    }

    /// `duration.value(1, 'd')`, if both are written out.
    private func microseconds(_ site: Site, _ room: inout Int) -> Int64? {
        let site = conditions.resolved(site)
        guard case .packageCall("duration", "value", let arguments) = conditions.kind(site), arguments.count == 2,
            case .integer(let count) = value(conditions.sibling(arguments[0], of: site), &room),
            case .string(let unit) = value(conditions.sibling(arguments[1], of: site), &room), count.magnitude < 100_000
        else { return nil }
        let seconds: [String: Int64] = ["w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1]
        return seconds[unit.string].map { $0 * count * 1_000_000 }
    }

    /// Gives what an expression is computed from a value that makes it this one.
    mutating func assignSource(of site: Site, _ wanted: Value) -> Bool {
        let site = conditions.resolved(site)
        switch conditions.kind(site) {
        case .binary(let binary, let left, let right) where binary == .add || binary == .subtract:
            let (first, second) = (conditions.sibling(left, of: site), conditions.sibling(right, of: site))
            guard case .integer(let sum) = wanted else { return false }
            let sign: Int64 = binary == .add ? 1 : -1
            if case .integer(let known) = value(second) { return assign(first, .integer(sum &- sign &* known)) }
            guard case .integer(let known) = value(first) else { return false }
            return assign(second, .integer(sign &* (sum &- known)))
        case .method(let receiver, "trim", _), .method(let receiver, "lower", _), .method(let receiver, "upper", _):
            return assign(conditions.sibling(receiver, of: site), wanted)
        case .method(_, "removeAll", _), .method(_, "difference", _):
            guard let remainder = remainder(site), case .array(let left) = wanted else { return false }
            return leave(left, of: remainder)
        case .index(let whole, let place):
            let (whole, place) = (conditions.sibling(whole, of: site), conditions.sibling(place, of: site))
            guard case .string(let name) = value(place) else { return assignPart(of: whole, place, wanted) }
            guard !name.string.isEmpty, case .map(var fields)? = value(whole) ?? .map(.empty) else { return false }
            fields[name] = wanted
            return assign(whole, .map(fields))
        default: return false
        }
    }

    /// `text.split('@')[1]`
    private mutating func assignPart(of list: Site, _ place: Site, _ wanted: Value) -> Bool {
        let list = conditions.resolved(list)
        guard case .method(let receiver, "split", let arguments) = conditions.kind(list),
            let argument = arguments.first,
            case .string(let pattern) = value(conditions.sibling(argument, of: list)),
            case .integer(let index) = value(place), (0..<20).contains(index), case .string(let part) = wanted,
            let separator = Pattern.sample(pattern.string, &generator)
        else { return false }
        let parts = Array(repeating: "x", count: Int(index)) + [part.string]
        return assign(conditions.sibling(receiver, of: list), .string(Text(parts.joined(separator: separator))))
    }
}
