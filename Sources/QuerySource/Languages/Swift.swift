// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

extension Language {
    static let swift: Language = {
        var language = Language(name: "swift", fileExtensions: ["swift"])
        language.nestsComments = true
        language.hasConditionalLines = true
        language.prefixes = [UInt8(ascii: "#"): .hash]
        language.hasTripleQuotes = true
        language.interpolation = .backslash
        language.quotesNames = true
        language.braces = .closure
        language.functionWords = ["func", "init"]
        language.declarationWords = ["let", "var"]
        language.hasTypeAnnotations = true
        language.hasExtensionProperties = true
        language.calls = [
            "collection": .collection, "collectionGroup": .collectionGroup, "document": .document,
            "whereField": .compareByLabel, "whereFilter": .compare, "order": .order, "limit": .limit,
            "start": .cursor, "end": .cursor, "findNearest": .nearest, "count": .count, "aggregate": .aggregate,
            "getDocuments": .run, "addSnapshotListener": .run, "snapshotPublisher": .run, "getAggregation": .run,
            "snapshots": .run, "append": .append, "parent": .parent,
        ]
        language.functions = [
            "whereField": .compareByLabel, "orFilter": .or, "andFilter": .and, "documentID": .documentID,
            "sum": .sum, "average": .average, "count": .count, "FieldPath": .fieldPath, "order": .order,
            "limit": .limit, "FirestoreQuery": .query, "isEqualTo": .compareBy(.equal),
            "isNotEqualTo": .compareBy(.notEqual), "isLessThan": .compareBy(.lessThan),
            "isLessThanOrEqualTo": .compareBy(.lessThanOrEqual), "isGreaterThan": .compareBy(.greaterThan),
            "isGreaterThanOrEqualTo": .compareBy(.greaterThanOrEqual), "arrayContains": .compareBy(.arrayContains),
            "arrayContainsAny": .compareBy(.arrayContainsAny), "isIn": .compareBy(.in), "isNotIn": .compareBy(.notIn),
            "orderBy": .order, "where": .compareByLabel, "limitTo": .limit, "limitToLast": .limitToLast,
        ]
        return language
    }()
}
