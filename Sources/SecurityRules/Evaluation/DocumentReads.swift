// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The documents that conditions read, and the limits of reading them.
struct DocumentReads {
    let database: Text
    /// A stored document; nil if it is missing.
    let stored: (ResourcePath) -> Fields?
    /// Documents that the same commit changes, with their final fields; nil for those that it deletes.
    var changed: [ResourcePath: Fields?] = [:]
    /// Whether reading is possible: the first phase decides without.
    private(set) var isReading = false
    /// The documents of the request that the second phase reads: these may be missing.
    private var judged: Set<ResourcePath> = []
    /// A document that a query names has no state after the request.
    private var hasNoAfter = false
    /// Whether something that only reading can decide was asked.
    var wasMissed = false
    /// The document that the request is about. Reading it costs nothing.
    var own: ResourcePath?
    let limits: Limits
    /// What calls have found out so far: documents that a get() found, and those whose existence was asked.
    private var found: Set<ResourcePath> = []
    private var probed: Set<ResourcePath> = []
    private var requestCalls = 0
    private var itemCalls = 0

    /// How many calls that count one document of a request and the whole request may make.
    struct Limits {
        let perItem: Int
        let perRequest: Int

        static let single = Limits(perItem: 10, perRequest: 10)
        static let query = Limits(perItem: 20, perRequest: 20)
        static let batch = Limits(perItem: 10, perRequest: 20)
    }

    init(database: Text, limits: Limits, stored: @escaping (ResourcePath) -> Fields?) {
        self.database = database
        self.limits = limits
        self.stored = stored
    }

    mutating func beginReading(_ documents: [ResourcePath]) {
        isReading = true
        judged = Set(documents)
    }

    mutating func beginItem(_ own: ResourcePath?, isNamedByQuery: Bool) {
        self.own = own
        hasNoAfter = isNamedByQuery
        itemCalls = 0
    }

    mutating func access(_ function: AccessFunction, _ path: RulePath) throws(EvaluationError) -> RuleValue {
        guard let document = document(path) else { throw failure(function, path) }
        let isAfter = function == .getAfter || function == .existsAfter
        guard isReading, !(isAfter && hasNoAfter) else {
            wasMissed = true
            throw .undecided
        }
        let change = isAfter ? changed[document] : nil
        let isProbe = function == .exists || function == .existsAfter
        // The document of the request costs nothing, and what the commit makes of one neither.
        let isFree = document == own || change != nil
        guard isFree || count(document, isProbe: isProbe) else { throw failure(function, path) }
        let fields: Fields? = change ?? read(document)
        if !isFree { remember(document, isProbe: isProbe, isFound: fields != nil) }
        if isProbe { return .bool(fields != nil) }
        if let fields { return DocumentReads.value(document, fields, database) }
        guard mayBeMissing(document, isAfter) else { throw failure(function, path) }
        return .null
    }

    /// Whether a missing document is null and no error: one that the commit changes, or the one that is judged.
    private func mayBeMissing(_ document: ResourcePath, _ isAfter: Bool) -> Bool {
        if changed.isEmpty { return document == own && !hasNoAfter }
        return changed[document] != nil && (isAfter || judged.contains(document))
    }

    /// Nothing is stored in a collection without an ID.
    private func read(_ document: ResourcePath) -> Fields? {
        document.segments.contains { $0.utf8Count == 0 } ? nil : stored(document)
    }

    /// `/databases/D/documents/…` with pairs of segments behind it. As the emulator has it, an empty `D` is the default database, and
    /// a collection's ID may be empty, a document's not.
    private func document(_ path: RulePath) -> ResourcePath? {
        guard let texts = path.texts, texts.count > 4, texts.count % 2 == 1, texts[0] == "databases",
            texts[1] == database || texts[1].utf8Count == 0 && database == "(default)", texts[2] == "documents",
            stride(from: 4, to: texts.count, by: 2).allSatisfy({ texts[$0].utf8Count > 0 })
        else { return nil }
        return ResourcePath(segments: Array(texts[3...]))
    }

    /// False if the call would be one too many. What the request knows already costs nothing, also for its other documents.
    private mutating func count(_ document: ResourcePath, isProbe: Bool) -> Bool {
        if found.contains(document) || isProbe && probed.contains(document) { return true }
        guard itemCalls < limits.perItem, requestCalls < limits.perRequest else { return false }
        itemCalls += 1
        requestCalls += 1
        return true
    }

    /// As the emulator does, which forgets that get() found nothing: the next one counts again.
    private mutating func remember(_ document: ResourcePath, isProbe: Bool, isFound: Bool) {
        if isProbe { probed.insert(document) } else if isFound { found.insert(document) }
    }

    func failure(_ function: AccessFunction, _ path: RulePath) -> EvaluationError {
        let segments = (path.texts ?? []).map { "  segments {\n    simple: \"\(DocumentReads.escaped($0))\"\n  }\n" }
        return .other(
            "Service call error. Function: [\(function.rawValue)], "
                + "Argument: [path_value {\n\(segments.joined())}\n].")
    }

    /// As Protobuf's text format writes strings.
    private static func escaped(_ text: Text) -> String {
        text.string.utf8.map { byte in
            switch byte {
            case 0x0A: "\\n"
            case 0x0D: "\\r"
            case 0x09: "\\t"
            case 0x22: "\\\""
            case 0x27: "\\'"
            case 0x5C: "\\\\"
            case 0x20...0x7E: String(Unicode.Scalar(byte))
            default: "\\" + octal(byte)
            }
        }.joined()
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// A document as rules see it: `data`, `id` and `__name__`.
    static func value(_ path: ResourcePath, _ fields: Fields, _ database: Text) -> RuleValue {
        .map(RuleMap(document: path, fields, database))
    }
}
