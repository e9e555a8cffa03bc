// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The path of a request, parts of which a query leaves open.
struct RequestPath {
    enum Element {
        case text(Text)
        /// The document of a query: any one segment.
        case anyDocument
        /// The parents of a collection group: any number of segments, which only a glob can stand for.
        case anyParents
    }

    let elements: [Element]
    init(document path: ResourcePath, database: Text) {
        elements = RequestPath.prefix(database) + path.segments.map(Element.text)
    }

    init(collection path: ResourcePath, database: Text) {
        elements = RequestPath.prefix(database) + path.segments.map(Element.text) + [.anyDocument]
    }

    /// The documents of collections with an ID, or with any, at any depth below a document.
    init(group: Text?, below parent: ResourcePath, database: Text) {
        let end: [Element] = group.map { [.text($0), .anyDocument] } ?? []
        elements = RequestPath.prefix(database) + parent.segments.map(Element.text) + [.anyParents] + end
    }

    /// A query of all collections of one parent, which only an empty glob fits.
    init(allCollections database: Text) {
        elements = RequestPath.prefix(database)
    }

    private static func prefix(_ database: Text) -> [Element] {
        [.text("databases"), .text(database), .text("documents")]
    }
}

extension Program.PathPattern {
    /// The captures if the pattern fits the whole path. A pattern has at most one glob.
    func match(_ path: RequestPath) -> [RuleValue]? {
        let elements = path.elements
        let spare = elements.count - segments.count
        guard hasGlob ? spare >= (globMayBeEmpty ? -1 : 0) : spare == 0 else { return nil }
        var captures: [RuleValue] = []
        var place = 0
        for segment in segments {
            switch segment {
            case .glob:
                captures.append(.path(RulePath(elements[place..<place + spare + 1].map(Self.segment))))
                place += spare + 1
            case .capture:
                switch elements[place] {
                case .text(let text): captures.append(.string(text))
                case .anyDocument: captures.append(.null)
                case .anyParents: return nil
                }
                place += 1
            case .literal(let literal):
                guard case .text(let text) = elements[place], text == literal else {
                    return nil
                }
                place += 1
            }
        }
        return captures
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
