// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport

/// The part of a value that the emulator's index keeps: whole parts until their sizes reach 1,500, then a mark that
/// more follows. Found by asking it for the order of pairs of values; production's way is not recorded (V-22).
private struct IndexCut {
    private var room = 1_500
    private var isMarked = false

    static func of(_ value: Value) -> Value {
        var cut = IndexCut()
        return cut.keep(value)
    }

    /// - Precondition: there is room left.
    private mutating func keep(_ value: Value) -> Value {
        switch value {
        case .null, .boolean: room -= 1
        case .integer, .double, .timestamp: room -= 8
        case .geoPoint: room -= 16
        case .reference(let reference): room -= reference.path.segments.reduce(16) { $0 + $1.utf8Count + 1 }
        case .vector(let numbers): room -= 7 + 8 * numbers.count
        case .string(let text): return .string(keep(text))
        case .bytes(let bytes): return .bytes(keep(bytes))
        case .array(let elements): return .array(keep(elements))
        case .map(let fields): return .map(keep(fields))
        }
        return value
    }

    /// A text that is cut keeps the characters that start where there is room.
    private mutating func keep(_ text: Text) -> Text {
        guard text.utf8Count >= room else {
            room -= text.utf8Count + 1
            return text
        }
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in text.string.unicodeScalars where size < room - 1 {
            kept.append(scalar)
            size += UTF8.width(scalar)
        }
        close()
        return Text(String(kept) + "\0")
    }

    private mutating func keep(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > room else {
            room -= bytes.count
            return bytes
        }
        defer { close() }
        return bytes.prefix(room) + [0]
    }

    private mutating func keep(_ elements: [Value]) -> [Value] {
        var kept: [Value] = []
        for element in elements {
            guard room > 0 else {
                if !isMarked { kept.append(.null) }
                close()
                break
            }
            kept.append(keep(element))
        }
        return kept
    }

    private mutating func keep(_ fields: Fields) -> Fields {
        var kept: [Field] = []
        for field in fields.storage {
            guard room > 0 else {
                if !isMarked { kept.append(Field(Text((kept.last?.name.string ?? "") + "\0"), .null)) }
                close()
                break
            }
            let name = keep(field.name)
            if room <= 0 { close() }
            kept.append(Field(name, room > 0 ? keep(field.value) : .null))
        }
        return Fields(sorted: kept)
    }

    private mutating func close() {
        room = 0
        isMarked = true
    }
}

extension Scenario {
    /// This query over documents as the emulator's indexes hold them: each value that the query filters or orders
    /// by is in a field of its own, cut, and each of its elements in another field.
    var cut: Scenario {
        var scenario = self
        let paths = Set(leaves.map(\.path) + request.query.orders.map(\.path) + request.aggregated).filter {
            !$0.isDocumentName
        }
        scenario.documents = documents.mapValues { fields in
            paths.reduce(into: fields) { cut, path in
                guard let value = fields[path] else { return }
                cut[Scenario.cutName(path)] = IndexCut.of(value)
                guard case .array(let elements) = value else { return }
                cut[Scenario.cutName(path, elements: true)] = .array(elements.map(IndexCut.of))
            }
        }
        scenario.request = request.with { query in
            query.filter = query.filter.map(Scenario.cut)
            query.orders = query.orders.map { Order(Scenario.cut($0.path), $0.direction) }
        }
        guard case .aggregation(var aggregation) = scenario.request else { return scenario }
        aggregation.aggregations = aggregation.aggregations.map { Aggregation(alias: $0.alias, Scenario.cut($0.kind)) }
        scenario.request = .aggregation(aggregation)
        return scenario
    }

    /// These names sort in the order of their paths.
    private static func cutName(_ path: FieldPath, elements: Bool = false) -> Text {
        Text((elements ? "\u{2}" : "\u{1}") + path.segments.map(\.string).joined(separator: "\0"))
    }

    private static func cut(_ path: FieldPath) -> FieldPath {
        path.isDocumentName ? path : FieldPath(name: cutName(path))
    }

    private static func cut(_ filter: Filter) -> Filter {
        switch filter {
        case .and(let parts): .and(parts.map(cut))
        case .or(let parts): .or(parts.map(cut))
        case .unary(let path, let unaryOperator): .unary(cut(path), unaryOperator)
        case .field(let path, .arrayContains, let operand):
            .field(FieldPath(name: cutName(path, elements: true)), .arrayContains, operand)
        case .field(let path, .arrayContainsAny, let operand):
            .field(FieldPath(name: cutName(path, elements: true)), .arrayContainsAny, operand)
        case .field(let path, let fieldOperator, let operand): .field(cut(path), fieldOperator, operand)
        }
    }

    private static func cut(_ kind: Aggregation.Kind) -> Aggregation.Kind {
        switch kind {
        case .count: kind
        case .sum(let path): .sum(cut(path))
        case .average(let path): .average(cut(path))
        }
    }
}

extension QueryRequest {
    fileprivate var aggregated: [FieldPath] {
        guard case .aggregation(let aggregation) = self else { return [] }
        return aggregation.aggregations.compactMap { aggregation in
            switch aggregation.kind {
            case .count: nil
            case .sum(let path), .average(let path): path
            }
        }
    }
}
