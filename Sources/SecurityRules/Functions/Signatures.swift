// SPDX-License-Identifier: Apache-2.0

/// The parameters of the built-in functions, in the words of the messages and of the checker.
enum Signatures {
    static func of(_ function: FreeFunction) -> [[String]] {
        switch function {
        case .int, .float: [["int"], ["float"], ["string"]]
        case .string: [["int"], ["float"], ["null"], ["string"], ["bool"], ["path"]]
        case .path: [["string"]]
        case .debug: [["any"]]
        case .mathAbs: [["int"], ["float"]]
        case .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathIsNaN: [["float"]]
        case .mathPow, .latlngValue: [["float", "float"]]
        case .timestampDate: [["int", "int", "int"]]
        case .timestampValue: [["int"], ["string"]]
        case .durationValue: [["int", "string"]]
        case .durationTime: [["int", "int", "int", "int"]]
        case .durationAbs: [["duration"]]
        case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C: [["bytes"], ["string"]]
        }
    }

    /// Nil if the type has no such method.
    static func of(_ method: Method, on type: RuleType) -> [[String]]? { methods[type]?[method] }

    static let methods: [RuleType: [Method: [[String]]]] = [
        .string: [
            .size: [[]], .lower: [[]], .upper: [[]], .trim: [[]], .toUtf8: [[]], .matches: [["string"]],
            .split: [["string"]], .replace: [["string", "string"]],
        ],
        .bytes: [.size: [[]], .toBase64: [[]], .toHexString: [[]]],
        .list: [
            .size: [[]], .toSet: [[]], .hasAll: [["list"]], .hasAny: [["list"]], .hasOnly: [["list"]],
            .concat: [["list"]], .removeAll: [["list"]], .join: [["string"]],
        ],
        .set: [
            .size: [[]], .hasAll: [["set"], ["list"]], .hasAny: [["set"], ["list"]], .hasOnly: [["set"], ["list"]],
            .union: [["set"]], .intersection: [["set"]], .difference: [["set"]],
        ],
        .map: [
            .size: [[]], .keys: [[]], .values: [[]], .get: [["string", "any"], ["list", "any"]], .diff: [["map"]],
        ],
        .mapDiff: [
            .addedKeys: [[]], .removedKeys: [[]], .changedKeys: [[]], .affectedKeys: [[]], .unchangedKeys: [[]],
        ],
        .path: [.bind: [["map"]]],
        .timestamp: [
            .date: [[]], .time: [[]], .year: [[]], .month: [[]], .day: [[]], .hours: [[]], .minutes: [[]],
            .seconds: [[]], .nanos: [[]], .dayOfWeek: [[]], .dayOfYear: [[]], .toMillis: [[]],
        ],
        .duration: [.seconds: [[]], .nanos: [[]]],
        .latlng: [.latitude: [[]], .longitude: [[]], .distance: [["latlng"]]],
        .constraint: [.hasAny: [["list"]]],
    ]
}
