// SPDX-License-Identifier: Apache-2.0

extension Language {
    static let dart: Language = {
        var language = Language(name: "dart", fileExtensions: ["dart"])
        language.nestsComments = true
        language.quotes = [UInt8(ascii: "\""): .string, UInt8(ascii: "'"): .string]
        language.prefixes = [UInt8(ascii: "r"): .raw]
        language.hasTripleQuotes = true
        language.interpolation = .dollarNames
        language.braces = .object
        language.declarationWords = ["var", "final", "const", "late"]
        language.hasBareMethods = true
        language.hasLeadingTypes = true
        language.hasExtensionProperties = true
        language.memberMarks = [".", "?.", ".."]
        language.calls = [
            "collection": .collection, "collectionGroup": .collectionGroup, "doc": .document, "document": .document,
            "where": .compareByLabel, "orderBy": .order, "limit": .limit, "limitToLast": .limitToLast,
            "startAt": .cursor, "startAfter": .cursor, "endAt": .cursor, "endBefore": .cursor,
            "startAtDocument": .cursor, "startAfterDocument": .cursor, "endAtDocument": .cursor,
            "endBeforeDocument": .cursor, "count": .count, "aggregate": .aggregate, "withConverter": .neutral,
            "get": .run, "getDocuments": .run, "snapshots": .run, "getSavy": .run, "add": .append,
            "parent": .parent,
        ]
        language.functions = [
            "Filter": .compareByLabel, "or": .or, "and": .and, "documentId": .documentID, "sum": .sum,
            "average": .average, "count": .count, "FieldPath": .fieldPath,
        ]
        return language
    }()
}
