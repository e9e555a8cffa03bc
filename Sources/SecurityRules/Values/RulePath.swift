// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A path of segments, some of which may be variables that are not bound.
package struct RulePath: Sendable {
    package enum Segment: Sendable, Hashable {
        case text(Text)
        case capture(Text)
        case glob(Text)
    }

    package let segments: [Segment]
    /// The variables that `bind` has replaced, and their values.
    let bound: [RuleMap.Entry]

    package init(_ segments: [Segment], bound: [RuleMap.Entry] = []) {
        self.segments = segments
        self.bound = bound
    }

    package init(texts: [Text]) {
        self.init(texts.map(Segment.text))
    }

    /// `/databases/D/documents/…`
    package init(document: ResourcePath, database: Text) {
        self.init(texts: ["databases", database, "documents"] + document.segments)
    }

    /// The value of a variable that `bind` has replaced.
    func value(of name: Text) throws(EvaluationError) -> RuleValue {
        for entry in bound where entry.key == name { return entry.value }
        throw .undefinedProperty(name)
    }

    /// All segments, or nil if one is a variable.
    var texts: [Text]? {
        var texts: [Text] = []
        for segment in segments {
            guard case .text(let text) = segment else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The first variable.
    var unbound: Text? {
        for segment in segments {
            switch segment {
            case .capture(let name), .glob(let name): return name
            case .text: continue
            }
        }
        return nil
    }
}
