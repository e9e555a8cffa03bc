// SPDX-License-Identifier: Apache-2.0

extension Language {
    static let python: Language = {
        var language = Language(name: "python", fileExtensions: ["py"])
        language.lineComments = ["#"]
        language.hasBlockComments = false
        language.quotes = [UInt8(ascii: "\""): .string, UInt8(ascii: "'"): .string]
        for (upper, lower, prefix) in [
            ("R", "r", Prefix.raw), ("F", "f", .interpolated), ("B", "b", .plain), ("U", "u", .plain),
        ] {
            language.prefixes[upper.utf8.first!] = prefix
            language.prefixes[lower.utf8.first!] = prefix
        }
        language.hasTripleQuotes = true
        language.blocks = .indentation
        language.braces = .object
        language.functionWords = ["def"]
        language.hasTypeAnnotations = true
        language.hasEqualsLabels = true
        language.hasFunctionScope = true
        language.calls = [
            "collection": .collection, "collection_group": .collectionGroup, "document": .document,
            "where": .compare, "order_by": .order, "limit": .limit, "limit_to_last": .limitToLast, "offset": .offset,
            "start_at": .cursor, "start_after": .cursor, "end_at": .cursor, "end_before": .cursor,
            "select": .select, "find_nearest": .nearest, "count": .count, "sum": .sum, "avg": .average,
            "get": .run, "stream": .run, "on_snapshot": .run, "append": .append, "parent": .parent,
        ]
        language.functions = [
            "FieldFilter": .compare, "Or": .or, "And": .and, "BaseCompositeFilter": .or, "document_id": .documentID,
            "FieldPath": .fieldPath, "Vector": .vector,
        ]
        return language
    }()
}
