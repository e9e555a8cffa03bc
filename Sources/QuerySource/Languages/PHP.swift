// SPDX-License-Identifier: Apache-2.0

extension Language {
    static let php: Language = {
        var language = Language(name: "php", fileExtensions: ["php"])
        language.lineComments = ["//", "#"]
        language.quotes = [UInt8(ascii: "\""): .string, UInt8(ascii: "'"): .literal]
        language.interpolation = .phpNames
        language.hasDollarNames = true
        language.hasQualifiedNames = true
        language.hasElvis = true
        language.functionWords = ["function", "fn"]
        language.hasFunctionScope = true
        language.concatenation = "."
        language.memberMarks = ["->", "?->", "::"]
        language.calls = [
            "collection": .collection, "collectionGroup": .collectionGroup, "document": .document, "where": .compare,
            "orderBy": .order, "limit": .limit, "limitToLast": .limitToLast, "offset": .offset, "startAt": .cursor,
            "startAfter": .cursor, "endAt": .cursor, "endBefore": .cursor, "select": .select,
            "findNearest": .nearest, "count": .count, "sum": .sum, "avg": .average, "documents": .run,
            "addAggregation": .aggregate, "getSnapshot": .run, "parent": .parent,
        ]
        language.functions = [
            "field": .compare, "or": .or, "and": .and, "documentId": .documentID, "sum": .sum, "avg": .average,
            "count": .count, "array": .list, "FieldPath": .fieldPath,
        ]
        return language
    }()
}
