// SPDX-License-Identifier: Apache-2.0

/// Texts to which the files of a program give names. Other files in the same language may use them.
package struct SourceConstants: Sendable {
    enum Value: Sendable, Equatable {
        case text(String)
        /// Different texts.
        case several
        /// Something else, at least in one file.
        case computed

        func merged(with other: Value) -> Value {
            if self == other { return self }
            return self == .computed || other == .computed ? .computed : .several
        }
    }

    /// By language and by name, such as `COLLECTIONS.users`.
    private var values: [String: [String: Value]] = [:]

    package init() {}

    init(_ collector: ConstantCollector, _ language: Language) {
        values[language.name] = collector.values
    }

    func values(in language: Language) -> [String: Value] { values[language.name] ?? [:] }

    /// Adds those of another file.
    package mutating func merge(_ other: SourceConstants) {
        for (language, found) in other.values {
            values[language, default: [:]].merge(found) { $0.merged(with: $1) }
        }
    }
}
