// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The keys that an object in the file may have, and the values that they take (J-1 to J-4).
///
/// The rules for keys, types and enumerations all read this table. Its parts are classes because every value of a file
/// is visited together with its part.
final class ObjectShape: Sendable {
    /// With an article, such as `an index`.
    let noun: String
    let keys: [SchemaKey]
    /// An object must have exactly one of these keys (J-14, J-20).
    let exactlyOneOf: [String]

    init(noun: String, keys: [SchemaKey], exactlyOneOf: [String] = []) {
        self.noun = noun
        self.keys = keys
        self.exactlyOneOf = exactlyOneOf
    }

    /// Compares the bytes of the name, as JSON readers do.
    func key(_ name: String) -> SchemaKey? { keys.first { $0.name.hasSameBytes(as: name) } }

    /// Whether a key is legacy and the object has what replaces it: then nobody reads its value (J-9, J-10).
    func ignores(_ key: SchemaKey, in object: JSONNode) -> Bool {
        guard key.isLegacy, case .legacy(let name) = key.need else { return false }
        let replacements = exactlyOneOf.contains(name) ? exactlyOneOf : [name]
        return replacements.contains { object.present($0) != nil }
    }
}

final class SchemaKey: Sendable {
    enum Need: Sendable {
        case required, optional
        /// Accepted instead of another key, as in files of the v1beta1 format (J-8 to J-10).
        case legacy(for: String)
    }

    let name: String
    let kind: ValueKind
    let need: Need
    /// Stored, because every value of a file asks, and `need` holds a string to retain.
    let isLegacy: Bool

    init(_ name: String, _ kind: ValueKind, _ need: Need = .optional) {
        self.name = name
        self.kind = kind
        self.need = need
        isLegacy = if case .legacy = need { true } else { false }
    }
}

enum ValueKind: Sendable {
    case string, boolean, number
    case enumeration([String])
    case object(ObjectShape)
    case array(of: ObjectShape)
    /// An object whose keys are not read.
    case anyObject

    var isText: Bool {
        switch self {
        case .string, .enumeration: true
        default: false
        }
    }

    /// With an article.
    var noun: String {
        switch self {
        case .string, .enumeration: "a string"
        case .boolean: "a boolean"
        case .number: "a number"
        case .object, .anyObject: "an object"
        case .array: "an array"
        }
    }
}

extension ObjectShape {
    static let file = ObjectShape(
        noun: "the file",
        keys: [
            SchemaKey("$schema", .string), SchemaKey("indexes", .array(of: index), .required),
            SchemaKey("fieldOverrides", .array(of: fieldOverride)),
        ])

    static let index = ObjectShape(
        noun: "an index",
        keys: [
            SchemaKey("collectionGroup", .string, .required), queryScope,
            SchemaKey("fields", .array(of: field), .required),
            apiScope, density, SchemaKey("multikey", .boolean), SchemaKey("unique", .boolean),
            SchemaKey("collectionId", .string, .legacy(for: "collectionGroup")),
        ])

    static let field = ObjectShape(
        noun: "an index field",
        keys: [
            SchemaKey("fieldPath", .string, .required), order, arrayConfig, SchemaKey("vectorConfig", .object(vector)),
            SchemaKey("searchConfig", .object(search)),
            SchemaKey("mode", .enumeration(["ASCENDING", "DESCENDING", "ARRAY_CONTAINS"]), .legacy(for: "order")),
        ],
        exactlyOneOf: ["order", "arrayConfig", "vectorConfig", "searchConfig"])

    static let vector = ObjectShape(
        noun: "a vector configuration",
        keys: [SchemaKey("dimension", .number, .required), SchemaKey("flat", .anyObject, .required)])

    static let search = ObjectShape(
        noun: "a search configuration",
        keys: [
            SchemaKey(
                "textSpec",
                .object(
                    ObjectShape(
                        noun: "a text specification", keys: [SchemaKey("indexSpecs", .array(of: searchText), .required)]
                    ))),
            SchemaKey(
                "geoSpec",
                .object(
                    ObjectShape(noun: "a geo specification", keys: [SchemaKey("geoJsonIndexingDisabled", .boolean)]))),
        ])

    static let searchText = ObjectShape(
        noun: "a text index",
        keys: [
            SchemaKey("indexType", .enumeration(["TOKENIZED"]), .required),
            SchemaKey("matchType", .enumeration(["MATCH_GLOBALLY"]), .required),
        ])

    static let fieldOverride = ObjectShape(
        noun: "a field override",
        keys: [
            SchemaKey("collectionGroup", .string, .required), SchemaKey("fieldPath", .string, .required),
            SchemaKey("ttl", .boolean), SchemaKey("indexes", .array(of: overrideIndex), .required),
        ])

    static let overrideIndex = ObjectShape(
        noun: "an index of a field override",
        keys: [
            SchemaKey(queryScope.name, queryScope.kind, .required), order, arrayConfig, apiScope, density,
            SchemaKey("multikey", .boolean), SchemaKey("unique", .boolean),
        ],
        exactlyOneOf: ["order", "arrayConfig"])

    private static let queryScope = SchemaKey("queryScope", .enumeration(["COLLECTION", "COLLECTION_GROUP"]))
    private static let order = SchemaKey("order", .enumeration(["ASCENDING", "DESCENDING"]))
    private static let arrayConfig = SchemaKey("arrayConfig", .enumeration(["CONTAINS"]))
    private static let apiScope = SchemaKey(
        "apiScope", .enumeration(["ANY_API", "DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"]))
    private static let density = SchemaKey(
        "density", .enumeration(["DENSITY_UNSPECIFIED", "SPARSE_ALL", "SPARSE_ANY", "DENSE"]))
}
