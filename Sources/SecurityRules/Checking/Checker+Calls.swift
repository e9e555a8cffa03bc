// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Calls of built-in functions.
extension Checker {
    mutating func inferFree(
        _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, _ expected: TypeSet?,
        _ scope: inout ExpressionScope
    ) -> TypeSet? {
        if let function = scope.scope.function(name) {
            return inferCall(function, id, arguments, expected, &scope)
        }
        if AccessFunction(rawValue: name) != nil, scope.service == .firestore {
            let isTest = name == "exists" || name == "existsAfter"
            return inferArguments(name, arguments, [["path"]], isTest ? [.bool] : nil, id, expected, &scope)
        }
        return inferPackageCall(name, arguments, id, expected, &scope)
    }

    /// A built-in function by its full name.
    mutating func inferPackageCall(
        _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, _ expected: TypeSet?,
        _ scope: inout ExpressionScope
    ) -> TypeSet? {
        guard let function = FreeFunction(rawValue: name), function != .debug || scope.service != .unknown else {
            return unknown(name, arguments, id, &scope)
        }
        let signatures = Signatures.of(function)
        return inferArguments(name, arguments, signatures, Results.of(function), id, expected, &scope)
    }

    private mutating func unknown(
        _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        warn(tree[id].position, "Invalid function name: \(name).")
        for argument in arguments { _ = infer(argument, expecting: nil, &scope) }
        return nil
    }

    mutating func inferMethod(
        _ receiver: ExpressionID, _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID,
        _ expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        guard let method = Method(rawValue: name) else {
            _ = infer(receiver, expecting: nil, &scope)
            return unknown(name, arguments, id, &scope)
        }
        let order: [RuleType] = [
            .string, .bytes, .list, .set, .map, .mapDiff, .path, .duration, .timestamp, .latlng,
        ]
        let owners = order.filter { Signatures.of(method, on: $0) != nil }
        let signatures = owners.flatMap { Signatures.of(method, on: $0) ?? [] }
        let result = Results.of(method)
        checkPattern(method, arguments)
        guard signatures.contains(where: { $0.count == arguments.count }) else {
            lookInto([receiver], &scope)
            return inferArguments(name, arguments, signatures, result, id, expected, &scope)
        }
        guard admits(result, expected, id) else {
            lookInto([unwrapped(receiver)] + arguments, &scope)
            return result
        }
        _ = infer(unwrapped(receiver), expecting: TypeSet(owners), &scope)
        return inferArguments(name, arguments, signatures, result, id, expected, &scope)
    }

    /// A pattern that is written out is checked here.
    private mutating func checkPattern(_ method: Method, _ arguments: [ExpressionID]) {
        guard method == .matches || method == .split, let first = arguments.first,
            case .constant(.string(let source)) = tree[first].kind, Pattern(source.string) == nil
        else { return }
        fail(tree[first].position, "Invalid regular expression pattern. Pattern: \(source).")
    }

    private mutating func inferArguments(
        _ name: String, _ arguments: [ExpressionID], _ signatures: [[String]], _ result: TypeSet?,
        _ id: ExpressionID, _ expected: TypeSet?, _ scope: inout ExpressionScope
    ) -> TypeSet? {
        guard signatures.contains(where: { $0.count == arguments.count }) else {
            warn(tree[id].position, "Incorrect number of arguments supplied to function: \(name).")
            lookInto(arguments, &scope)
            return nil
        }
        guard admits(result, expected, id) else {
            lookInto(arguments, &scope)
            return result
        }
        for (place, argument) in arguments.enumerated() {
            _ = infer(argument, expecting: parameter(place, of: signatures), &scope)
        }
        return result
    }

    /// The types that any signature takes at a place. An int stands in for a float.
    private func parameter(_ place: Int, of signatures: [[String]]) -> TypeSet? {
        var types: [RuleType] = []
        for signature in signatures where place < signature.count {
            guard let type = RuleType(rawValue: signature[place]) else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        if types == [.float] { types.append(.int) }
        return TypeSet(types)
    }
}

/// The types of what built-in functions give; nil for any.
enum Results {
    static func of(_ function: FreeFunction) -> TypeSet? {
        switch function {
        case .int, .mathRound: [.int]
        case .float, .mathCeil, .mathFloor, .mathSqrt, .mathPow: [.float]
        case .string: [.string]
        case .path: [.path]
        case .debug: nil
        case .mathAbs: [.int, .float]
        case .mathIsNaN: [.bool]
        case .timestampDate, .timestampValue: [.timestamp]
        case .durationValue, .durationTime, .durationAbs: [.duration]
        case .latlngValue: [.latlng]
        case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C: [.bytes]
        }
    }

    static func of(_ method: Method) -> TypeSet? {
        switch method {
        case .size, .year, .month, .day, .hours, .minutes, .seconds, .nanos, .dayOfWeek, .dayOfYear, .toMillis: [.int]
        case .lower, .upper, .trim, .replace, .toBase64, .toHexString, .join: [.string]
        case .matches, .hasAll, .hasAny, .hasOnly: [.bool]
        case .split, .concat, .removeAll, .keys, .values: [.list]
        case .toUtf8: [.bytes]
        case .toSet, .union, .intersection, .difference, .addedKeys, .removedKeys, .changedKeys, .affectedKeys,
            .unchangedKeys:
            [.set]
        case .get: nil
        case .diff: [.mapDiff]
        case .bind: [.path]
        case .date: [.timestamp]
        case .time: [.duration]
        case .latitude, .longitude, .distance: [.float]
        }
    }
}
