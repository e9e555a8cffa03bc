// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Changes a request so that conditions become true or false, as far as they can be read.
///
/// What it makes is a guess: the decision about the request says whether it is right.
struct ProofSolver {
    let conditions: ConditionReader
    /// The statement whose captures stand for segments of the request's path.
    let statement: OutlinedStatement
    let pool: [Value]
    var model: ProofModel
    var generator: ProofRandom
    private var depth = 0
    private var steps = 0
    /// Functions may call each other so often that no end is near.
    private static let mostSteps = 1_000
    /// How many bytes one value may come of: variables may double it again and again.
    private static let mostRoom = 50_000
    private static let roomOfExpression = 50
    /// A constant is there already, however long it is.
    private static let roomOfConstant = 8

    init(
        _ conditions: ConditionReader, _ statement: OutlinedStatement, _ model: ProofModel, pool: [Value],
        _ generator: ProofRandom
    ) {
        self.conditions = conditions
        self.statement = statement
        self.pool = pool
        self.model = model
        self.generator = generator
    }

    /// Makes a condition hold, or not hold.
    mutating func make(_ wanted: Bool, _ site: Site) {
        guard depth < 60, steps < ProofSolver.mostSteps else { return }
        depth += 1
        steps += 1
        defer { depth -= 1 }
        let site = conditions.resolved(site)
        switch conditions.kind(site) {
        case .not(let inner): make(!wanted, conditions.sibling(inner, of: site))
        case .binary(.and, let left, let right): join(left, right, site, wanted, isAll: wanted)
        case .binary(.or, let left, let right): join(left, right, site, wanted, isAll: !wanted)
        case .conditional(let condition, let whenTrue, let whenFalse):
            let isTrue = generator.flip()
            make(isTrue, conditions.sibling(condition, of: site))
            make(wanted, conditions.sibling(isTrue ? whenTrue : whenFalse, of: site))
        case .binary(.in, let left, let right):
            makeMember(wanted, conditions.sibling(left, of: site), conditions.sibling(right, of: site))
        case .binary(let binary, let left, let right):
            compare(binary, conditions.sibling(left, of: site), conditions.sibling(right, of: site), wanted)
        case .typeTest(let operand, let type): makeType(wanted, conditions.sibling(operand, of: site), type)
        case .call(let name, _) where conditions.isAccess(site) && name.hasPrefix("exists"):
            guard let path = documentPath(site) else { return }
            model.others[path] = wanted ? model.others[path] ?? .empty : nil
        case .method(let receiver, let name, let arguments):
            makeMethod(
                wanted, conditions.sibling(receiver, of: site), name, arguments.map { conditions.sibling($0, of: site) }
            )
        default: _ = assign(site, .boolean(wanted))
        }
    }

    private mutating func join(
        _ left: SyntaxTree.ExpressionID, _ right: SyntaxTree.ExpressionID, _ site: Site, _ wanted: Bool, isAll: Bool
    ) {
        let first = generator.flip()
        if isAll || first { make(wanted, conditions.sibling(left, of: site)) }
        if isAll || !first { make(wanted, conditions.sibling(right, of: site)) }
    }

    // MARK: Values

    /// What an expression gives in the request as it is; nil if that is not known.
    func value(_ site: Site) -> Value? {
        var room = ProofSolver.mostRoom
        return value(site, &room)
    }

    func value(_ site: Site, _ room: inout Int) -> Value? {
        let site = conditions.resolved(site)
        if case .constant(let constant) = conditions.kind(site) {
            room -= ProofSolver.roomOfConstant
            return room < 0 ? nil : Value(scalar: constant)
        }
        room -= ProofSolver.roomOfExpression
        guard room >= 0 else { return nil }
        if let path = conditions.path(site) { return value(path, &room)?.taken(from: &room) }
        switch conditions.kind(site) {
        case .list(let elements):
            var values: [Value] = []
            for element in elements {
                guard let value = value(conditions.sibling(element, of: site), &room) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .binary(let binary, let left, let right) where binary == .add || binary == .subtract:
            return computed(binary, conditions.sibling(left, of: site), conditions.sibling(right, of: site), &room)
        // Its elements, as a list's.
        case .method(let receiver, "toSet", _): return value(conditions.sibling(receiver, of: site), &room)
        case .index(let whole, let place):
            return part(of: conditions.sibling(whole, of: site), conditions.sibling(place, of: site), &room)
        default: return nil
        }
    }

    private func value(_ path: ValuePath, _ room: inout Int) -> Value? {
        if path.isUserID { return model.uid.map(Value.string) }
        if let field = path.field(isNew: false) { return read(model.before, field) }
        if let field = path.field(isNew: true) { return read(model.after, field) }
        switch path.root {
        case .request:
            if path.members == ["time"] { return .timestamp(model.time) }
            if path.members == ["method"] { return .string(Text(model.method.rawValue)) }
            guard path.members.starts(with: ["auth", "token"]) else { return nil }
            return read(model.claims, Array(path.members.dropFirst(2)))
        case .resource: return path.members == ["id"] ? model.path.last.map(Value.string) : nil
        case .fetched(let call):
            guard path.members.first == "data", let document = documentPath(call, &room) else { return nil }
            return read(model.others[document], Array(path.members.dropFirst()))
        case .capture(let place):
            guard path.members.isEmpty, let index = index(place) else { return nil }
            return .string(model.path[index])
        }
    }

    private func read(_ fields: Fields?, _ path: [Text]) -> Value? {
        guard let fields else { return nil }
        return path.isEmpty ? .map(fields) : fields[FieldPath(path)]
    }

    /// The segment of the request's path that a capture stands for; nil for a glob's.
    private func index(_ place: Int) -> Int? {
        guard statement.pattern.indices.contains(place), !statement.pattern[place].isGlob,
            let index = statement.places(model.path.count + 3)?[place].lowerBound
        else { return nil }
        return model.path.indices.contains(index - 3) ? index - 3 : nil
    }

    /// The document that a call of `get` or `exists` reads.
    private func documentPath(_ call: Site) -> ResourcePath? {
        var room = ProofSolver.mostRoom
        return documentPath(call, &room)
    }

    private func documentPath(_ call: Site, _ room: inout Int) -> ResourcePath? {
        guard let argument = conditions.children(call).first else { return nil }
        let site = conditions.resolved(argument)
        guard case .path(let parts) = conditions.kind(site), parts.count > 4 else { return nil }
        var segments: [Text] = []
        for part in parts.dropFirst(3) {
            switch part {
            case .text(let text): segments.append(text)
            case .binding(let id):
                guard case .string(let text) = value(conditions.sibling(id, of: site), &room), !text.string.isEmpty
                else { return nil }
                segments.append(text)
            case .capture: return nil
            }
        }
        return segments.count % 2 == 0 ? ResourcePath(segments: segments) : nil
    }

    // MARK: Changes

    /// Gives an expression a value, if it reads something that the request may choose.
    mutating func assign(_ site: Site, _ value: Value?) -> Bool {
        guard let path = conditions.path(conditions.resolved(site)) else {
            return value.map { assignSource(of: site, $0) } ?? false
        }
        if path.isUserID {
            if value == nil || value?.isNull == true { model.uid = nil }
            guard case .string(let text) = value else { return value == nil }
            model.uid = text
            return true
        }
        if let field = path.field(isNew: false) { return write(value, field, isNew: false) }
        if let field = path.field(isNew: true) { return write(value, field, isNew: true) }
        switch path.root {
        case .request:
            if path.members == ["auth"] {
                model.uid = value?.isNull == true ? nil : model.uid ?? "alice"
                return true
            }
            guard path.members.starts(with: ["auth", "token"]), path.members.count > 2 else { return false }
            model.uid = model.uid ?? "alice"
            model.claims.set(value, at: FieldPath(Array(path.members.dropFirst(2))))
            return true
        case .resource: return false
        case .fetched(let call):
            guard path.members.first == "data", path.members.count > 1, let document = documentPath(call) else {
                return false
            }
            model.others[document, default: .empty].set(value, at: FieldPath(Array(path.members.dropFirst())))
            return true
        case .capture(let place):
            guard path.members.isEmpty, let index = index(place), case .string(let text) = value, !text.string.isEmpty,
                !text.string.contains("/")
            else { return false }
            model.path[index] = text
            return true
        }
    }

    private mutating func write(_ value: Value?, _ field: [Text], isNew: Bool) -> Bool {
        if !isNew, model.method == .create { return false }
        if isNew, model.method != .create, model.method != .update { return false }
        var fields = (isNew ? model.after : model.before) ?? .empty
        if field.isEmpty {
            guard case .map(let whole) = value else { return false }
            fields = whole
        } else {
            fields.set(value, at: FieldPath(field))
        }
        if isNew { model.after = fields } else { model.before = fields }
        return true
    }

    mutating func any() -> Value { pool[generator.next(below: pool.count)] }
}

/// A repeatable source of choices: the same search finds the same.
struct ProofRandom {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    mutating func next(below count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
    mutating func flip() -> Bool { next() % 2 == 0 }
}
