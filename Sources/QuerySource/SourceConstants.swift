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

    /// By language.
    private var names: [String: SharedConstants] = [:]

    package init() {}

    /// - Parameter module: the path of the file, as ``ModulePath`` has it.
    init(_ collector: ConstantCollector, _ language: Language, module: [String]) {
        names[language.name] = SharedConstants(collector, language, module: module)
    }

    func names(in language: Language) -> SharedConstants { names[language.name] ?? SharedConstants() }

    /// Adds those of another file.
    package mutating func merge(_ other: SourceConstants) {
        for (language, found) in other.names { names[language, default: SharedConstants()].merge(found) }
    }
}
