// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension ProofSolver {
    mutating func compare(_ binary: BinaryOperator, _ left: Site, _ right: Site, _ wanted: Bool) {
        if let first = value(left), let second = value(right), isTrue(binary, first, second) == wanted { return }
        switch binary {
        case .equal, .notEqual:
            if (binary == .equal) == wanted { makeEqual(left, right) } else { makeDifferent(left, right) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let isLess = (binary == .less || binary == .lessOrEqual) == wanted
            order(left, right, isLess: isLess)
        default: break
        }
    }

    /// Nil if two values have no order.
    private func isTrue(_ binary: BinaryOperator, _ first: Value, _ second: Value) -> Bool? {
        let (left, right) = (RuleValue(first), RuleValue(second))
        switch binary {
        case .equal: return left.equals(right)
        case .notEqual: return !left.equals(right)
        case .less: return left.compared(to: right).map { $0 < 0 }
        case .lessOrEqual: return left.compared(to: right).map { $0 <= 0 }
        case .greater: return left.compared(to: right).map { $0 > 0 }
        case .greaterOrEqual: return left.compared(to: right).map { $0 >= 0 }
        default: return nil
        }
    }

    private mutating func makeEqual(_ left: Site, _ right: Site) {
        if conditions.isNull(right), makeNull(left) { return }
        if conditions.isNull(left), makeNull(right) { return }
        if sized(left, right, 0) || sized(right, left, 0) { return }
        let leftFirst = generator.flip()
        for (side, other) in leftFirst ? [(left, right), (right, left)] : [(right, left), (left, right)] {
            if let value = value(other), assign(side, value) { return }
        }
        // Both are open, or the value of neither is known.
        let value = any()
        if assign(left, value) { _ = assign(right, value) }
    }

    /// Whether null is something that a request decides: a missing document, or a caller who is not signed in.
    private mutating func makeNull(_ site: Site) -> Bool {
        guard let path = conditions.path(site) else { return false }
        if path.root == .resource, path.members.isEmpty {
            if model.method == .get { model.before = nil }
            return true
        }
        if path.root == .request, path.members == ["auth"] {
            model.uid = nil
            return true
        }
        return false
    }

    private mutating func makeDifferent(_ left: Site, _ right: Site) {
        for (side, other) in [(left, right), (right, left)] where conditions.isNull(other) {
            if let path = conditions.path(side) {
                if path.root == .resource, path.members.isEmpty, model.method != .create {
                    model.before = model.before ?? .empty
                    return
                }
                if path.isAuth || path.isUserID {
                    model.uid = model.uid ?? "alice"
                    return
                }
            }
            if value(side)?.isNull != false { _ = assign(side, .string("x")) }
            return
        }
        let (first, second) = (value(left), value(right))
        if let first, let second, first != second { return }
        for (side, other) in [(left, second), (right, first)] {
            guard let remainder = remainder(side), case .array(let elements)? = other else { continue }
            if resize(remainder, to: elements.count + 1) { return }
        }
        if !assign(left, any()) { _ = assign(right, any()) }
    }

    private mutating func order(_ left: Site, _ right: Site, isLess: Bool) {
        let step: Int64 = isLess ? -1 : 1
        if sized(left, right, Int(step)) || sized(right, left, Int(-step)) { return }
        if let bound = value(right), let moved = moved(bound, step), assign(left, moved) { return }
        if let bound = value(left), let moved = moved(bound, -step) { _ = assign(right, moved) }
    }

    private func moved(_ value: Value, _ step: Int64) -> Value? {
        switch value {
        case .integer(let number): number.addingReportingOverflow(step).overflow ? nil : .integer(number + step)
        case .double(let number): .double(number + Double(step))
        case .timestamp(let time):
            Timestamp(microseconds: time.microseconds + step * 3_600_000_000).map(Value.timestamp)
        case .string(let text): .string(step > 0 ? Text(text.string + "z") : "")
        default: nil
        }
    }

    /// `x.size()` beside a number.
    private mutating func sized(_ side: Site, _ other: Site, _ step: Int) -> Bool {
        let site = conditions.resolved(side)
        guard case .method(let receiver, "size", _) = conditions.kind(site),
            case .integer(let number) = value(other), (0...5_000).contains(number)
        else { return false }
        let count = max(0, Int(number) + step)
        let inner = listed(conditions.sibling(receiver, of: site))
        if let remainder = counted(inner) { return resize(remainder, to: count) }
        switch value(inner) {
        case .array(let elements):
            let more = (0..<max(0, count - elements.count)).map { Value.integer(Int64($0)) }
            return assign(inner, .array(Array(elements.prefix(count)) + more))
        case .map: return true
        default:
            let text = Value.string(Text(String(repeating: "a", count: count)))
            let list = Value.array((0..<count).map { .integer(Int64($0)) })
            return assign(inner, generator.next(below: 4) == 0 ? list : text)
        }
    }

    // MARK: Membership

    mutating func makeMember(_ wanted: Bool, _ left: Site, _ right: Site) {
        if case .array(let elements) = value(right), conditions.path(right) == nil {
            guard !elements.isEmpty else { return }
            let value = wanted ? elements[generator.next(below: elements.count)] : any()
            _ = assign(left, value)
            return
        }
        guard let element = value(left) else { return }
        // Of a map, and of its keys, the key counts.
        let whole = keysOwner(right) ?? right
        if case .string(let name) = element, isMap(whole) {
            guard case .map(var fields)? = value(whole) ?? .map(.empty) else { return }
            fields[name] = wanted ? fields[name] ?? any() : nil
            _ = assign(whole, .map(fields))
            return
        }
        guard case .array(let elements)? = value(right) ?? .array([]) else { return }
        _ = assign(right, .array(elements.filter { $0 != element } + (wanted ? [element] : [])))
    }

    private func isMap(_ site: Site) -> Bool {
        if case .map = value(site) { return true }
        guard let path = conditions.path(site) else { return false }
        return path.field(isNew: true)?.isEmpty == true || path.field(isNew: false)?.isEmpty == true
    }

    mutating func makeType(_ wanted: Bool, _ site: Site, _ type: RuleType) {
        if let value = value(site), RuleValue(value).isOf(type) == wanted { return }
        guard wanted else {
            _ = assign(site, type == .bool ? .string("x") : .boolean(true))
            return
        }
        let sample: Value? =
            switch type {
            case .string: .string("x")
            case .int, .number: .integer(1)
            case .float: .double(1.5)
            case .bool: .boolean(true)
            case .list: .array([])
            case .map: .map(.empty)
            case .timestamp: .timestamp(model.time)
            case .bytes: .bytes([1])
            case .latlng: GeoPoint(latitude: 1, longitude: 2).map(Value.geoPoint)
            default: nil
            }
        if let sample { _ = assign(site, sample) }
    }

    // MARK: Methods

    mutating func makeMethod(_ wanted: Bool, _ receiver: Site, _ name: String, _ arguments: [Site]) {
        switch name {
        case "get" where arguments.count == 2: break
        case "matches" where arguments.count == 1: makeMatch(wanted, receiver, arguments[0])
        case "hasAll", "hasAny", "hasOnly":
            guard let argument = arguments.first, case .array(let elements) = value(argument) else { return }
            let names = ProofSolver.names(elements)
            if let owner = keysOwner(receiver) { return makeKeys(wanted, owner, name, names) }
            if let diff = diff(receiver) { return makeDiff(wanted, diff, name, names) }
            makeList(wanted, receiver, name, elements)
        default: break
        }
    }

    private mutating func makeMatch(_ wanted: Bool, _ receiver: Site, _ argument: Site) {
        guard case .string(let source) = value(argument), let pattern = Pattern(source.string) else { return }
        var samples = ProofSolver.samples
        if wanted, let made = Pattern.sample(source.string, &generator) { samples.append(made) }
        samples = samples.filter { pattern.matches(Array($0.utf16)) == wanted }
        guard !samples.isEmpty else { return }
        _ = assign(receiver, .string(Text(samples[generator.next(below: samples.count)])))
    }

    private static let samples = [
        "a", "abc", "A", "a1", "1", "12", "1234", "en", "de-CH", "2024-01-01", "alice@example.com", "#ffffff", "a b",
        "",
        "https://example.com/a.png", "+41791234567", "00000000-0000-0000-0000-000000000000", "aaaaaaaaaaaaaaaaaaaa",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "12:30", "Abc1234", "a-b_c", "@#!",
    ]
}
