// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

extension Language {
    static let java: Language = {
        var language = Language(name: "java", fileExtensions: ["java"])
        language.quotes[UInt8(ascii: "'")] = .literal
        language.hasTripleQuotes = true
        language.hasBareMethods = true
        language.hasLeadingTypes = true
        language.calls = javaCalls
        language.functions = javaFunctions
        return language
    }()

    /// The calls of the libraries for Android and for Java servers.
    static let javaCalls: [String: Call] = {
        var calls: [String: Call] = [
            "collection": .collection, "collectionGroup": .collectionGroup, "document": .document, "where": .compare,
            "orderBy": .order, "limit": .limit, "limitToLast": .limitToLast, "offset": .offset, "startAt": .cursor,
            "startAfter": .cursor, "endAt": .cursor, "endBefore": .cursor, "select": .select,
            "findNearest": .nearest, "count": .count, "aggregate": .aggregate, "get": .run,
            "addSnapshotListener": .run, "snapshots": .run, "stream": .run, "explain": .run, "asFlow": .run,
            "dataObjects": .run, "toFlow": .run, "snapshotFlow": .run, "add": .append, "getParent": .parent,
        ]
        for (word, op) in OperatorName.words { calls["where\(word)"] = .compareBy(op) }
        return calls
    }()

    static let javaFunctions: [String: Call] = [
        "equalTo": .compareBy(.equal), "notEqualTo": .compareBy(.notEqual), "lessThan": .compareBy(.lessThan),
        "lessThanOrEqualTo": .compareBy(.lessThanOrEqual), "greaterThan": .compareBy(.greaterThan),
        "greaterThanOrEqualTo": .compareBy(.greaterThanOrEqual), "inArray": .compareBy(.in),
        "notInArray": .compareBy(.notIn), "arrayContains": .compareBy(.arrayContains),
        "arrayContainsAny": .compareBy(.arrayContainsAny), "and": .and, "or": .or, "documentId": .documentID,
        "sum": .sum, "average": .average, "count": .count, "asList": .list, "of": .list, "FieldPath": .fieldPath,
        "collection": .collection, "collectionGroup": .collectionGroup, "vector": .vector,
    ]
}
