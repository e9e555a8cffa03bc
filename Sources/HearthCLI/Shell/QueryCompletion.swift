// SPDX-License-Identifier: Apache-2.0

/// Completes the text of a query: collections, calls, fields and operators, by what stands before the cursor.
struct QueryCompletion {
    let collections: () -> [String]
    /// The fields of a collection's documents.
    let fields: (String) -> [String]

    static let calls = [
        "where(", "orderBy(", "limit(", "limitToLast(", "offset(", "select(", "startAt(", "startAfter(", "endAt(",
        "endBefore(", "count()", "aggregate(", "findNearest(",
    ]
    private static let operators = [
        "==", "!=", "<", "<=", ">", ">=", "in", "not-in", "array-contains", "array-contains-any",
    ]
    private static let heads = ["collection(", "collectionGroup("]

    func completion(of text: String) -> Completion {
        let scan = Scan(text)
        if let string = scan.openString { return completion(ofString: string, scan) }
        let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }.reversed())
        let before = text.dropLast(word.count)
        if before.allSatisfy(\.isWhitespace) {
            return Completion(collections() + QueryCompletion.heads, continuing: word)
        }
        if before == "db." { return Completion(QueryCompletion.heads, continuing: word) }
        if before.hasSuffix(".") { return Completion(QueryCompletion.calls, continuing: word) }
        return .none
    }

    private func completion(ofString string: String, _ scan: Scan) -> Completion {
        switch (scan.call, scan.position) {
        case ("collection", 0), ("collectionGroup", 0): Completion(collections(), continuing: string)
        case ("where", 1): Completion(QueryCompletion.operators, continuing: string)
        case ("where", 0), ("orderBy", 0), ("select", _), ("sum", 0), ("average", 0), ("findNearest", 0):
            Completion(scan.collection.map(fields) ?? [], continuing: string)
        case ("orderBy", 1): Completion(["asc", "desc"], continuing: string)
        default: .none
        }
    }
}

/// What the text of a query, up to the cursor, is about.
private struct Scan {
    /// What follows the quote of a string that is not closed.
    private(set) var openString: String?
    /// The innermost call that is open, and which of its arguments the cursor is in.
    private(set) var call = ""
    private(set) var position = 0
    /// The collection of the query.
    private(set) var collection: String?

    init(_ text: String) {
        var open: [(call: String, position: Int)] = []
        var name = ""
        var string = ""
        var quote: Character?
        for character in text {
            if let end = quote {
                guard character == end else {
                    string.append(character)
                    continue
                }
                quote = nil
                if let last = open.last, last.call.hasPrefix("collection"), last.position == 0 { collection = string }
            } else if character == "'" || character == "\"" {
                (quote, string) = (character, "")
            } else if character == "(" || character == "[" {
                open.append((name, 0))
                name = ""
            } else if character == ")" || character == "]" {
                _ = open.popLast()
            } else if character == "," {
                if !open.isEmpty { open[open.count - 1].position += 1 }
            } else if character.isLetter || character.isNumber || character == "_" || character == "-" {
                name.append(character)
            } else {
                if character == ".", open.isEmpty, collection == nil, !name.isEmpty, name != "db" { collection = name }
                name = ""
            }
        }
        openString = quote == nil ? nil : string
        (call, position) = open.last ?? ("", 0)
    }
}
