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
            let segment = path.segments[try place(index, path.segments.count)]
            if let name = path.unbound { throw .notBound(name) }
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
        case .list(let elements): return .list(Array(elements[try bounds(from, to, elements.count, value)]))
        case .string(let text):
            let units = text.utf16Units
            return .string(Text(utf16: units[try bounds(from, to, units.count, value)]))
        case .path(let path):
            return .path(RulePath(Array(path.segments[try bounds(from, to, path.segments.count, value)])))
        case .null: throw .nullValue
        default: throw .functionNotFound("@range")
        }
    }

    /// Both the first and the last element of the range must exist, of an empty range too.
    private static func bounds(
        _ from: RuleValue?, _ to: RuleValue?, _ count: Int, _ value: RuleValue
    ) throws(EvaluationError) -> Range<Int> {
        let start = try bound(from, value) ?? 0
        let end = try bound(to, value) ?? Int64(count)
        _ = try place(start, count)
        let (last, overflow) = end.subtractingReportingOverflow(1)
        _ = try place(overflow ? end : last, count)
        guard start <= end else {
            throw .other("Illegal range error. From index: [\(start)] , To index: [\(end)].")
        }
        return Int(start)..<Int(end)
    }

    private static func bound(_ bound: RuleValue?, _ value: RuleValue) throws(EvaluationError) -> Int64? {
        guard let bound else { return nil }
        guard case .int(let index) = bound else {
            let name = value.type.rawValue
            throw .unsupported("\(name)[\(bound.type.rawValue)]", expected: ["\(name)[int]"])
        }
        return index
    }
}
