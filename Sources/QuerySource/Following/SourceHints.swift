// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What people say about a source beside its code, and what other files say.
struct SourceHints {
    /// By line; a comment speaks of its own line and of the next.
    private let directives: [Int: String]
    private let lines: LineMap?
    /// Collections by the names of variables.
    private let collections: [String: String]
    /// What names stand for that other files define.
    private let names: SourceNames
    /// Whether the file mentions Firestore.
    let isAboutFirestore: Bool
    /// Whether it mentions another library whose filters are spelled as Firestore's.
    let isAboutOthers: Bool

    init(
        _ directives: [Directive], _ source: [UInt8], collections: [String: String],
        names: SourceNames = SourceNames(), isAboutFirestore: Bool, isAboutOthers: Bool
    ) {
        let lines = directives.isEmpty ? nil : LineMap(source)
        self.lines = lines
        self.directives = Dictionary(
            directives.map { (lines?.position(of: $0.offset).line ?? 0, $0.text) }, uniquingKeysWith: { $1 })
        self.collections = collections
        self.names = names
        self.isAboutFirestore = isAboutFirestore
        self.isAboutOthers = isAboutOthers
    }

    /// The collection that a comment or the map gives to something unknown.
    func source(of unknown: Unknown, at offset: Int) -> QueryShape.Source? {
        if let text = directive("collection=", at: offset) { return .collection(ID: SourceHints.id(text), path: text) }
        if let text = directive("collectionGroup=", at: offset) { return .group(ID: text) }
        guard let name = unknown.name, let text = collections[name] else { return nil }
        if text.hasPrefix("group:") { return .group(ID: String(text.dropFirst(6))) }
        return .collection(ID: SourceHints.id(text), path: text)
    }

    /// What a name stands for that the file does not define; nil if other files do not say it.
    func constant(named name: String) -> Known? { collections[name] == nil ? names.constant(named: name) : nil }

    /// The same for a name that may have a module.
    ///
    /// - Parameter text: how it is written here.
    func constant(_ shared: SharedName, as text: String?) -> Known? {
        if let text, collections[text] != nil { return nil }
        return names.constant(shared)
    }

    /// What other files may call what has a name here.
    func shared(_ name: String) -> SharedName? { names.shared(name) }

    /// What other files may call what is in a module.
    func shared(inModule module: String) -> SharedName? { names.shared(inModule: module) }

    /// Whether the file assigns to a member such as `NAMES.users`.
    func isAssigned(_ name: String) -> Bool { names.isAssigned(name) }

    func isSilenced(at offset: Int) -> Bool { directive("ignore", at: offset) != nil }

    /// A value that is not known but commented on.
    func applied(to value: Alternatives, _ target: Target, _ offset: Int) -> Alternatives {
        guard !directives.isEmpty || !collections.isEmpty else { return value }
        return value.mapped { known in
            guard var unknown = SourceHints.unknown(known) else { return [known] }
            switch target {
            case .variable(let name, _), .member(let name): unknown.name = name
            case .several: break
            }
            guard let source = source(of: unknown, at: offset) else { return [known] }
            return [.query(QueryShape(source))]
        }
    }

    /// What is not known, or not for certain a query.
    private static func unknown(_ value: Known) -> Unknown? {
        switch value {
        case .unknown(let unknown): unknown
        case .query(let shape) where shape.isTentative: shape.problem.map { Unknown(what: $0) }
        default: nil
        }
    }

    private func directive(_ key: String, at offset: Int) -> String? {
        guard let lines else { return nil }
        let line = lines.position(of: offset).line
        for place in [line, line - 1] {
            guard let text = directives[place], let found = text.firstRange(of: key) else { continue }
            return String(text[found.upperBound...].prefix { !$0.isWhitespace && $0 != "*" && $0 != "," })
        }
        return nil
    }

    private static func id(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
