// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Functions without a receiver, packages' functions by their full names.
enum FreeFunction: String, Sendable, CaseIterable {
    case int, float, string, path, debug
    case mathAbs = "math.abs"
    case mathCeil = "math.ceil"
    case mathFloor = "math.floor"
    case mathRound = "math.round"
    case mathSqrt = "math.sqrt"
    case mathPow = "math.pow"
    case mathIsNaN = "math.isNaN"
    case timestampDate = "timestamp.date"
    case timestampValue = "timestamp.value"
    case durationValue = "duration.value"
    case durationTime = "duration.time"
    case durationAbs = "duration.abs"
    case latlngValue = "latlng.value"
    case hashingMD5 = "hashing.md5"
    case hashingSHA256 = "hashing.sha256"
    case hashingCRC32 = "hashing.crc32"
    case hashingCRC32C = "hashing.crc32c"
}

/// Functions that read documents.
enum AccessFunction: String, Sendable, CaseIterable {
    case get, exists, getAfter, existsAfter
    /// The same as `get`; no document names it.
    case value
}

/// Methods, of whichever type has them.
enum Method: String, Sendable, CaseIterable {
    case size, lower, upper, trim, matches, split, replace, toUtf8, toBase64, toHexString
    case hasAll, hasAny, hasOnly, concat, join, removeAll, toSet, union, intersection, difference
    case keys, values, get, diff, addedKeys, removedKeys, changedKeys, affectedKeys, unchangedKeys, bind
    case date, time, year, month, day, hours, minutes, seconds, nanos, dayOfWeek, dayOfYear, toMillis
    case latitude, longitude, distance
}

/// The built-in functions, by families.
enum BuiltIns {
    static let packages: Set<String> = ["math", "timestamp", "duration", "latlng", "hashing"]

    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue {
        let result =
            switch function {
            case .int, .float, .string, .path, .debug: try Conversions.call(function, arguments)
            case .mathAbs, .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathPow, .mathIsNaN:
                try MathFunctions.call(function, arguments)
            case .timestampDate, .timestampValue: try TimestampFunctions.call(function, arguments)
            case .durationValue, .durationTime, .durationAbs: try DurationFunctions.call(function, arguments)
            case .latlngValue: try LatLngFunctions.make(arguments)
            case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C:
                HashingFunctions.call(function, arguments)
            }
        guard let result else {
            throw mismatch(function.rawValue, arguments, Signatures.of(function))
        }
        return result
    }

    /// - Parameters:
    ///   - room: what the result may take. A larger one ends somewhere behind.
    ///   - steps: how many a pattern may still take. Without any left the result means nothing.
    static func call(
        _ method: Method, on receiver: RuleValue, _ arguments: [RuleValue], pattern: Pattern?, room: Int,
        steps: inout Int
    ) throws(EvaluationError) -> RuleValue {
        let result: RuleValue?
        switch receiver {
        case .null: throw .nullValue
        case .string(let text): result = try StringMethods.call(method, text, arguments, pattern, room, &steps)
        case .bytes(let bytes): result = BytesMethods.call(method, bytes, arguments)
        case .list(let elements): result = try ListMethods.call(method, elements, arguments, room)
        case .set(let set): result = try SetMethods.call(method, set, arguments)
        case .map(let map): result = try MapMethods.call(method, map, arguments)
        case .mapDiff(let diff): result = try MapDiffMethods.call(method, diff, arguments)
        case .path(let path): result = try PathMethods.call(method, path, arguments)
        case .timestamp(let time): result = TimestampFunctions.call(method, time, arguments)
        case .duration(let duration): result = DurationFunctions.call(method, duration, arguments)
        case .latlng(let point): result = LatLngFunctions.call(method, point, arguments)
        case .constraint(let constraint): result = ConstraintMethods.call(method, constraint, arguments)
        case .bool, .int, .float, .vector: result = nil
        }
        if let result { return result }
        guard let signatures = Signatures.of(method, on: receiver.type) else {
            throw .functionNotFound(method.rawValue)
        }
        throw mismatch("\(receiver.type.rawValue).\(method.rawValue)", arguments, signatures)
    }

    /// Throws for a method that the type does not have.
    static func check(_ method: Method, on receiver: RuleValue) throws(EvaluationError) {
        if Signatures.of(method, on: receiver.type) == nil { throw .functionNotFound(method.rawValue) }
    }

    /// The number or the types of the arguments fit no signature.
    static func mismatch(_ name: String, _ arguments: [RuleValue], _ signatures: [[String]]) -> EvaluationError {
        let expected = signatures.map { "\(name)(\($0.joined(separator: ", ")))" }
        guard signatures.contains(where: { $0.count == arguments.count }) else {
            let list = expected.joined(separator: ", ")
            return .other("Incorrect number of arguments. Received: \(arguments.count). Expected: \(list).")
        }
        let types = arguments.map(\.type.rawValue).joined(separator: ", ")
        return .unsupported("\(name)(\(types))", expected: expected)
    }
}
