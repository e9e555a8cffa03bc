// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The path of a request, parts of which a query leaves open.
struct RequestPath: Sendable {
    enum Element {
        case text(Text)
        /// The document of a query: any one segment.
        case anyDocument
        /// The parents of a collection group: any number of segments, which only a glob can stand for.
        case anyParents
    }

    /// What follows the segments that are known.
    private enum Ending {
        case none
        case anyDocument
        /// The documents of collections with an ID, or with any.
        case group(Text?)
        /// The documents of all collections directly below.
        case allCollections
    }

    private let database: Text
    private let known: ResourcePath
    private let ending: Ending

    init(document path: ResourcePath, database: Text) {
        (known, self.database, ending) = (path, database, .none)
    }

    init(collection path: ResourcePath, database: Text) {
        (known, self.database, ending) = (path, database, .anyDocument)
    }

    /// The documents of collections with an ID, or with any, at any depth below a document.
    init(group: Text?, below parent: ResourcePath, database: Text) {
        (known, self.database, ending) = (parent, database, .group(group))
    }

    /// A query of all collections of one parent, which only an empty glob fits.
    init(allCollections database: Text) {
        (known, self.database, ending) = (.root, database, .allCollections)
    }

    /// Whether only a glob at the end stands for all that a query may return.
    fileprivate var needsGlob: Bool { if case .allCollections = ending { true } else { false } }

    /// `databases`, the database and `documents` come first.
    static let prefixCount = 3

    var count: Int {
        let fixed = RequestPath.prefixCount + known.count
        return switch ending {
        case .none, .allCollections: fixed
        case .anyDocument: fixed + 1
        case .group(let id): fixed + (id == nil ? 1 : 3)
        }
    }

    subscript(place: Int) -> Element {
        switch place {
        case 0: return .text("databases")
        case 1: return .text(database)
        case 2: return .text("documents")
        default: break
        }
        let rest = place - RequestPath.prefixCount
        if rest < known.count { return .text(known.segments[rest]) }
        guard case .group(let id) = ending else { return .anyDocument }
        switch rest - known.count {
        case 0: return .anyParents
        case 1: return id.map { .text($0) } ?? .anyParents
        default: return .anyDocument
        }
    }
}

extension Program.PathPattern {
    /// How many segments a path has more than the pattern.
    private func spare(_ path: RequestPath) -> Int { path.count - segments.count + (nesting.overlap?.count ?? 0) }

    /// Whether the pattern fits the whole path. It has at most one glob.
    func fits(_ path: RequestPath) -> Bool {
        guard !nesting.fitsNothing else { return false }
        let spare = spare(path)
        guard hasGlob ? spare >= (globMayBeEmpty ? -1 : 0) : spare == 0 else { return false }
        if path.needsGlob { guard case .glob? = segments.last else { return false } }
        var place = known
        for index in known..<segments.count {
            if index == nesting.overlap?.upperBound { place -= nesting.overlap?.count ?? 0 }
            switch segments[index] {
            case .glob: place += spare + 1
            case .capture:
                if case .anyParents = path[place] { return false }
                place += 1
            case .literal(let literal):
                guard case .text(let text) = path[place], text == literal else { return false }
                place += 1
            }
        }
        return true
    }

    /// The value of a capture, by its number, in a path that fits.
    func capture(_ number: Int, of path: RequestPath) -> RuleValue {
        let index = captures[number]
        let spare = spare(path)
        if case .glob = segments[index] {
            let value = RulePath((index..<index + spare + 1).map { Self.segment(path[$0]) })
            return globMayBeEmpty || value.unbound == nil ? .path(value) : .null
        }
        // Captures behind the glob move with its length.
        let isBehind = hasGlob && captures[..<number].contains { if case .glob = segments[$0] { true } else { false } }
        let isInner = nesting.overlap.map { index >= $0.upperBound } ?? false
        let place = (isBehind ? index + spare : index) - (isInner ? nesting.overlap?.count ?? 0 : 0)
        guard case .text(let text) = path[place] else { return .null }
        return .string(text)
    }

    /// What is open in a glob is a variable without a name.
    private static func segment(_ element: RequestPath.Element) -> RulePath.Segment {
        switch element {
        case .text(let text): .text(text)
        case .anyDocument: .capture("")
        case .anyParents: .glob("")
        }
    }
}
