// SPDX-License-Identifier: Apache-2.0

extension Language {
    static let go: Language = {
        var language = Language(name: "go", fileExtensions: ["go"])
        language.quotes = [UInt8(ascii: "\""): .string, UInt8(ascii: "'"): .literal, UInt8(ascii: "`"): .raw]
        language.functionWords = ["func"]
        language.declarationWords = ["var", "const"]
        language.calls = [
            "Collection": .collection, "CollectionGroup": .collectionGroup, "Doc": .document, "Where": .compare,
            "WherePath": .compare, "WhereEntity": .compare, "OrderBy": .order, "OrderByPath": .order, "Limit": .limit,
            "LimitToLast": .limitToLast, "Offset": .offset, "StartAt": .cursor, "StartAfter": .cursor,
            "EndAt": .cursor, "EndBefore": .cursor, "Select": .select, "SelectPaths": .select,
            "FindNearest": .nearest, "FindNearestPath": .nearest, "NewAggregationQuery": .neutral,
            "WithCount": .count, "WithSum": .sum, "WithSumPath": .sum, "WithAvg": .average, "WithAvgPath": .average,
            "Documents": .run, "Snapshots": .run, "Get": .run, "GetAll": .run, "WithReadOptions": .neutral,
            "WithRunOptions": .neutral, "Parent": .parent, "Query": .neutral,
        ]
        language.functions = [
            "PropertyFilter": .compare, "PropertyPathFilter": .compare, "OrFilter": .or, "AndFilter": .and,
            "append": .append, "FieldPath": .fieldPath,
        ]
        return language
    }()
}
