// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

extension Language {
    static let cSharp: Language = {
        var language = Language(name: "csharp", fileExtensions: ["cs"])
        language.quotes[UInt8(ascii: "'")] = .literal
        language.prefixes = [UInt8(ascii: "@"): .raw, UInt8(ascii: "$"): .interpolated]
        language.hasTripleQuotes = true
        language.hasBareMethods = true
        language.hasLeadingTypes = true
        language.declarationWords = ["var"]
        language.calls = [
            "Collection": .collection, "CollectionGroup": .collectionGroup, "Document": .document,
            "Where": .compare, "OrderBy": .order, "OrderByDescending": .orderDescending, "Limit": .limit,
            "LimitToLast": .limitToLast, "Offset": .offset, "StartAt": .cursor, "StartAfter": .cursor,
            "EndAt": .cursor, "EndBefore": .cursor, "Select": .select, "FindNearest": .nearest, "Count": .count,
            "Aggregate": .aggregate, "GetSnapshotAsync": .run, "StreamAsync": .run, "Listen": .run,
            "ExplainAsync": .run, "Add": .append, "Parent": .parent,
        ]
        for (word, op) in OperatorName.words {
            language.calls["Where\(word)"] = .compareBy(op)
            language.functions[word] = .compareBy(op)
        }
        language.functions["InArray"] = .compareBy(.in)
        language.functions["NotInArray"] = .compareBy(.notIn)
        language.functions.merge(
            [
                "And": .and, "Or": .or, "Sum": .sum, "Average": .average, "Count": .count, "FieldPath": .fieldPath,
                "VectorValue": .vector,
            ]) { $1 }
        return language
    }()
}
