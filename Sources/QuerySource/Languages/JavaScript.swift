// SPDX-License-Identifier: Apache-2.0

extension Language {
    /// JavaScript and TypeScript: the modular and the older library for the web, React Native's, AngularFire, and Node's.
    static let javaScript: Language = {
        var language = Language(
            name: "javascript",
            fileExtensions: ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"])
        language.quotes = [UInt8(ascii: "\""): .string, UInt8(ascii: "'"): .string, UInt8(ascii: "`"): .template]
        language.hasDollarNames = true
        language.hasRegularExpressions = true
        language.braces = .object
        language.functionWords = ["function"]
        language.declarationWords = ["const", "let", "var"]
        language.hasBareMethods = true
        language.hasTypeAnnotations = true
        language.calls = [
            "collection": .collection, "collectionGroup": .collectionGroup, "doc": .document, "where": .compare,
            "orderBy": .order, "limit": .limit, "limitToLast": .limitToLast, "offset": .offset, "startAt": .cursor,
            "startAfter": .cursor, "endAt": .cursor, "endBefore": .cursor, "select": .select,
            "findNearest": .nearest, "count": .count, "aggregate": .aggregate, "withConverter": .neutral,
            "get": .run, "onSnapshot": .run, "stream": .run, "explain": .run, "explainStream": .run,
            "valueChanges": .run, "snapshotChanges": .run, "stateChanges": .run, "auditTrail": .run,
            "push": .append, "concat": .append, "parent": .parent,
        ]
        language.functions = language.calls.filter { ![.run, .append, .neutral].contains($0.value) }
        language.functions.merge(
            [
                "query": .query, "and": .and, "or": .or, "sum": .sum, "average": .average, "documentId": .documentID,
                "getDocs": .run, "getDocsFromServer": .run, "getDocsFromCache": .run, "onSnapshot": .run,
                "getCountFromServer": .run, "getAggregateFromServer": .aggregate, "collectionData": .run,
                "collectionChanges": .run, "collectionSnapshots": .run, "collectionCount": .run,
                "useCollection": .run, "useCollectionData": .run, "useCollectionOnce": .run, "useFirestoreQuery": .run,
                "useCollectionDataOnce": .run, "useFirestoreCollection": .run, "useFirestoreCollectionData": .run,
                "useMemo": .closure, "useCallback": .closure, "computed": .closure, "FieldPath": .fieldPath,
                "vector": .vector,
            ]) { $1 }
        return language
    }()
}
