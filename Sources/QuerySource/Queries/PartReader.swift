// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// Reads what calls of the libraries add to queries.
struct PartReader {
    let language: Language

    init(_ language: Language) {
        self.language = language
    }

    /// One part, or several if the source leaves open which is meant.
    func parts(_ call: Call, _ name: String, _ given: GivenArguments) -> [QueryPart] {
        switch call {
        case .compare: [compare(given.withoutEmptyLists)]
        case .compareByLabel: [compareByLabel(given.withoutEmptyLists)]
        case .compareBy(let op): [compareBy(op, given.withoutEmptyLists)]
        case .or where name == "BaseCompositeFilter": [compositeByOperator(given)]
        case .and, .or: [composite(call == .and, given.all)]
        case .order: orders(given, nil)
        case .orderDescending: orders(given, true)
        case .limit, .limitToLast: [limit(call, given)]
        case .offset: [.offset(given.all.first.map { Operand($0.value) } ?? .placeholder(nil))]
        case .cursor: [.cursor(PartReader.cursorName(name, given), given.all.map { Operand($0.value) })]
        case .select: [select(given)]
        case .nearest: [nearest(given)]
        case .query: [several(given)]
        case .count: [.count]
        case .sum, .average: [sum(call, given)]
        case .aggregate: [several(given)]
        default: [.nothing]
        }
    }

    /// Whether a call on something unknown can only be a call of a query.
    func isTelling(_ call: Call, _ given: GivenArguments) -> Bool {
        switch call {
        case .compareByLabel:
            return given.all.contains { $0.label.map { OperatorName.labels[$0] != nil || $0 == "isNull" } ?? false }
        case .compareBy: return given.positional.count == 2
        case .compare:
            let positional = given.positional
            if case .part? = given["filter"] ?? positional.first { return true }
            guard positional.count == 3, case .text(let pieces) = positional[1], let op = pieces.constant else {
                return false
            }
            return OperatorName.symbols[op] != nil && (op != "=" || language.name == "php")
        default: return false
        }
    }

    /// Whether a call on something unknown can be an order or a limit of a query.
    func isTentative(_ call: Call, _ given: GivenArguments) -> Bool {
        switch call {
        case .order, .orderDescending:
            let field = given["by", "field_path", "fieldPath", "field"] ?? given.positional.first
            switch field {
            case .text, .field, .unknown: return true
            default: return false
            }
        case .limit, .limitToLast:
            guard given.all.count == 1 else { return false }
            switch given.all[0].value {
            case .number, .unknown: return true
            default: return false
            }
        default: return false
        }
    }

    // MARK: Filters

    private func compare(_ given: GivenArguments) -> QueryPart {
        let positional = given.positional
        if given.isOpen { return .problem("a filter is computed") }
        if let filter = given["filter", "Filter"] ?? (positional.count == 1 ? positional[0] : nil) {
            return self.filter(filter)
        }
        let field = given["field_path", "fieldPath", "Path", "field"] ?? positional.first
        let symbol = given["op_string", "opStr", "Operator", "op"] ?? positional.dropFirst().first
        let value = given["value", "Value"] ?? positional.dropFirst(2).first
        guard case .text(let pieces)? = symbol, let text = pieces.constant else {
            return .problem("the operator of a filter is \(PartReader.what(symbol))")
        }
        guard let op = OperatorName.symbols[text], text != "=" || language.name == "php" else {
            return .problem("'\(text)' is no operator")
        }
        return comparison(field, op, value)
    }

    private func compareByLabel(_ given: GivenArguments) -> QueryPart {
        let positional = given.positional
        if positional.count == 1, case .part = positional[0] { return filter(positional[0]) }
        var parts: [QueryPart] = []
        for argument in given.all {
            guard let label = argument.label else { continue }
            if label == "isNull" {
                guard case .flag(let isNull) = argument.value else {
                    return .problem("'isNull' is \(PartReader.what(argument.value))")
                }
                parts.append(comparison(positional.first, isNull ? .equal : .notEqual, .null))
            } else if let op = OperatorName.labels[label] {
                parts.append(comparison(positional.first, op, argument.value))
            }
        }
        guard !parts.isEmpty else { return .problem("a filter has no operator that is known") }
        let filters = parts.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }
        guard filters.count == parts.count else {
            return parts.first { if case .problem = $0 { true } else { false } } ?? .nothing
        }
        return filters.count == 1 ? parts[0] : .several(parts)
    }

    private func compareBy(_ op: FieldOperator, _ given: GivenArguments) -> QueryPart {
        comparison(given.positional.first ?? given["field"], op, given.positional.dropFirst().first ?? given["value"])
    }

    private func comparison(_ field: Known?, _ op: FieldOperator, _ value: Known?) -> QueryPart {
        guard let path = PartReader.field(field) else {
            return .problem("the field of a filter is \(PartReader.what(field))")
        }
        let isList = [.in, .notIn, .arrayContainsAny].contains(op)
        var operand = value.map { Operand($0) } ?? .placeholder(nil)
        if isList {
            if case .placeholder(let name) = operand { operand = .openList(name) }
        } else {
            if case .openList(let name) = operand { operand = .placeholder(name) }
        }
        return .filter(.compare(path, op, operand))
    }

    private func filter(_ value: Known) -> QueryPart {
        if case .part(let part, _) = value {
            switch part {
            case .filter, .several, .problem: return part
            default: break
            }
        }
        return .problem("a filter is \(PartReader.what(value))")
    }

    /// Python's `BaseCompositeFilter(operator, filters)`.
    private func compositeByOperator(_ given: GivenArguments) -> QueryPart {
        var filters = given.all
        let place = filters.firstIndex { $0.label == "operator" } ?? filters.firstIndex { $0.label == nil }
        let op = place.map { filters.remove(at: $0).value }
        switch PartReader.word(op) {
        case "AND"?: return composite(true, filters)
        case "OR"?: return composite(false, filters)
        default: return .problem("the operator of a filter is \(PartReader.what(op))")
        }
    }

    private func composite(_ isAnd: Bool, _ arguments: [Given]) -> QueryPart {
        var members: [Known] = []
        for argument in arguments where argument.label == nil || argument.label?.lowercased() == "filters" {
            guard case .list(let elements, let isOpen) = argument.value else {
                members.append(argument.value)
                continue
            }
            if isOpen { return .problem("a filter has a list of unknown length") }
            members += elements
        }
        if arguments.contains(where: \.isOpen) { return .problem("a filter has a list of unknown length") }
        var filters: [SourceFilter] = []
        for member in members {
            switch filter(member) {
            case .filter(let filter): filters.append(filter)
            case .several(let parts):
                filters.append(.and(parts.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }))
            case .problem(let reason): return .problem(reason)
            default: break
            }
        }
        guard filters.count != 1 else { return .filter(filters[0]) }
        guard !filters.isEmpty else { return .problem("a filter has no parts") }
        let result = isAnd ? SourceFilter.and(filters) : .or(filters)
        guard result.count(upTo: SourceFilter.maximumCount) < SourceFilter.maximumCount else {
            return .problem("a filter is very large")
        }
        return .filter(result)
    }

    // MARK: Orders and limits

    private func orders(_ given: GivenArguments, _ isDescending: Bool?) -> [QueryPart] {
        let positional = given.positional
        let field = given["by", "field_path", "fieldPath", "field"] ?? positional.first
        guard let path = PartReader.field(field) else {
            return [.problem("the field of an order is \(PartReader.what(field))")]
        }
        if let isDescending { return [.order(path, isDescending: isDescending)] }
        let direction = given["descending", "direction"] ?? positional.dropFirst().first
        switch direction {
        case nil, .null?: return [.order(path, isDescending: false)]
        case .flag(let flag)?: return [.order(path, isDescending: flag)]
        case .direction(let isDescending)?: return [.order(path, isDescending: isDescending)]
        case .text(let pieces)? where pieces.constant != nil:
            return [.order(path, isDescending: pieces.constant?.lowercased().hasPrefix("desc") ?? false)]
        default: return [.order(path, isDescending: false), .order(path, isDescending: true)]
        }
    }

    private func limit(_ call: Call, _ given: GivenArguments) -> QueryPart {
        let isLast = call == .limitToLast || given["toLast"] != nil
        let value = given["toLast", "to", "count", "limit"] ?? given.positional.first
        let count = value.map { Operand($0) } ?? .placeholder(nil)
        return isLast ? .limitToLast(count) : .limit(count)
    }

    private static func cursorName(_ name: String, _ given: GivenArguments) -> String {
        let words = (name + (given.all.first?.label ?? "")).lowercased()
        if words.hasPrefix("start") { return words.contains("after") ? "startAfter" : "startAt" }
        return words.contains("before") ? "endBefore" : "endAt"
    }

    private func select(_ given: GivenArguments) -> QueryPart {
        var values = given.positional
        if values.count == 1, case .list(let elements, false) = values[0] { values = elements }
        let fields = values.compactMap { PartReader.field($0) }
        return .select(fields.count == values.count && !given.isOpen ? fields : nil)
    }

    // MARK: Aggregations and vectors

    private func sum(_ call: Call, _ given: GivenArguments) -> QueryPart {
        let field = given["field_ref", "field", "path"] ?? given.positional.first
        guard let path = PartReader.field(field) else {
            return .problem("the field of an aggregation is \(PartReader.what(field))")
        }
        return call == .sum ? .sum(path) : .average(path)
    }

    /// Parts that stand in a list or an object, or as arguments.
    private func several(_ given: GivenArguments) -> QueryPart {
        var parts: [QueryPart] = []
        func add(_ value: Known) {
            switch value {
            case .part(let part, _): parts.append(part)
            case .list(let elements, let isOpen):
                for element in elements { add(element) }
                if isOpen { parts.append(.problem("it has a list of unknown length")) }
            case .fields(let members): for member in members { add(member.value) }
            case .null, .flag: break
            case .query(let shape): parts += shape.problem.map { [.problem($0)] } ?? []
            default: parts.append(.problem("a part of it is \(PartReader.what(value))"))
            }
        }
        for argument in given.all {
            if argument.isOpen {
                parts.append(.problem("a part of it is \(PartReader.what(argument.value))"))
            } else {
                add(argument.value)
            }
        }
        return .several(parts)
    }

    private func nearest(_ given: GivenArguments) -> QueryPart {
        var field = given["vector_field", "vectorField"] ?? given.positional.first
        var vector = given["query_vector", "queryVector"] ?? given.positional.dropFirst().first
        if case .fields(let members)? = field {
            vector = members.last { $0.key == "queryVector" }?.value
            field = members.last { $0.key == "vectorField" }?.value
        }
        guard let path = PartReader.field(field) else {
            return .problem("the field of a vector search is \(PartReader.what(field))")
        }
        switch vector {
        case .list(let elements, false)?:
            let vector = Operand.list(elements.map { Operand($0) }).text
            return .nearest(path, dimension: elements.count, vector)
        case .vector(let dimension?)?: return .nearest(path, dimension: dimension, "?")
        default: return .problem("the length of a query vector is not known")
        }
    }

    // MARK: Values

    static func field(_ value: Known?) -> FieldReference? {
        switch value {
        case .text(let pieces)?: pieces.constant.flatMap { FieldReference(dotted: $0) }
        case .field(let field)?: field
        case .list(let elements, false)?: FieldReference(segments: elements)
        default: nil
        }
    }

    /// A text, or the last name of a constant such as `Operator.AND`.
    private static func word(_ value: Known?) -> String? {
        switch value {
        case .text(let pieces)?: pieces.constant
        case .unknown(let unknown)?: unknown.name?.split(separator: ".").last.map(String.init)
        default: nil
        }
    }

    /// What a value is, for sentences.
    static func what(_ value: Known?) -> String {
        switch value {
        case .unknown(let unknown)?: unknown.what
        case .text(let pieces)?: pieces.constant.map { "'\($0)'" } ?? "a computed text, '\(pieces.pattern)'"
        case .null?, nil: "missing"
        default: "a computed value"
        }
    }
}
