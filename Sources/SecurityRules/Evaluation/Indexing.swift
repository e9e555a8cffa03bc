// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// `a[i]` and `a[i:j]`.
enum Indexing {
    static func element(_ index: RuleValue, of value: RuleValue) throws(EvaluationError) -> RuleValue {
        switch (value, index) {
        case (.list(let elements), .int(let index)): return elements[try place(index, elements.count)]
        case (.string(let text), .int(let index)):
            let units = text.utf16Units
            return .string(Text(utf16: [units[try place(index, units.count)]]))
        case (.path(let path), .int(let index)):
            if let name = path.unbound { throw .notBound(name) }
            let segment = path.segments[try place(index, path.segments.count)]
            guard case .text(let text) = segment else { return .null }
            return .string(text)
        case (.map(let map), .string(let key)):
            guard let member = map[key] else { throw .undefinedProperty(key) }
            return member
        case (.path(let path), .string(let key)): return try path.value(of: key)
        case (.null, _): throw .nullValue
        case (.list, _), (.string, _): throw mismatch(value, index, ["int"])
        case (.map, _): throw mismatch(value, index, ["string"])
        case (.path, _): throw mismatch(value, index, ["string", "int"])
        default: throw .functionNotFound("[]")
        }
    }

    private static func mismatch(_ value: RuleValue, _ index: RuleValue, _ expected: [String]) -> EvaluationError {
        let name = value.type.rawValue
        return .unsupported("\(name)[\(index.type.rawValue)]", expected: expected.map { "\(name)[\($0)]" })
    }

    private static func place(_ index: Int64, _ count: Int) throws(EvaluationError) -> Int {
        guard index >= 0, index < count else { throw .indexOutOfBounds(index, count) }
        return Int(index)
    }

    static func range(_ from: RuleValue?, _ to: RuleValue?, of value: RuleValue) throws(EvaluationError) -> RuleValue {
        switch value {
        case .list(let elements): return .list(elements.part(try bounds(from, to, elements.count, value)))
        case .string(let text):
            let units = text.utf16Units
            return .string(Text(utf16: units[try bounds(from, to, units.count, value)]))
        case .path(let path):
            if let name = path.unbound { throw .notBound(name) }
            return .path(RulePath(Array(path.segments[try bounds(from, to, path.segments.count, value)])))
        default: throw .functionNotFound("@range")
        }
    }

    /// What has no elements is an error before the index is looked at.
    static func checkElements(of value: RuleValue) throws(EvaluationError) {
        switch value {
        case .list, .string, .path, .map: return
        case .null: throw .nullValue
        default: throw .functionNotFound("[]")
        }
    }

    /// What has no ranges is an error before the bounds are looked at.
    static func checkRange(of value: RuleValue) throws(EvaluationError) {
        switch value {
        case .list, .string, .path: return
        case .null: throw .nullValue
        default: throw .functionNotFound("@range")
        }
    }

    /// Both the first and the last element of the range must exist, of an empty range too.
    private static func bounds(
        _ from: RuleValue?, _ to: RuleValue?, _ count: Int, _ value: RuleValue
    ) throws(EvaluationError) -> Range<Int> {
        guard let start = bound(from, default: 0), let end = bound(to, default: Int64(count)) else {
            throw mismatch(value, from, to)
        }
        for bound in [start, end] where Int32(exactly: bound) == nil { throw .indexOutOfBounds(bound, count) }
        _ = try place(start, count)
        _ = try place(end - 1, count)
        guard start <= end else {
            throw .other("Illegal range error. From index: [\(start)] , To index: [\(end)].")
        }
        return Int(start)..<Int(end)
    }

    /// A bound that is left out or null has a default; nil for a bound that is no index.
    private static func bound(_ bound: RuleValue?, default other: Int64) -> Int64? {
        switch bound {
        case nil, .null?: other
        case .int(let index)?: index
        default: nil
        }
    }

    private static func mismatch(_ value: RuleValue, _ from: RuleValue?, _ to: RuleValue?) -> EvaluationError {
        let name = value.type.rawValue
        let received = [from, to].map { $0?.type.rawValue ?? "null" }.joined(separator: ":")
        var expected = ["null:null", "null:int", "int:null", "int:int"]
        // The official order has no other reason than its own.
        if case .path = value { expected = ["null:null", "int:int", "int:null", "null:int"] }
        return .unsupported("\(name)[\(received)]", expected: expected.map { "\(name)[\($0)]" })
    }
}
