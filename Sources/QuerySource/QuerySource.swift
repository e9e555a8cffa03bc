// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Finds the queries in the source of programs.
package enum QuerySource {
    /// The stack that a level of nested code takes at most. An optimized build needs less.
    private static let levelSize = 32 << 10
    /// Enough for code that is pasted.
    package static let usualStack = 4 << 20

    /// Reads a file. Any bytes give a report.
    ///
    /// - Parameters:
    ///   - path: its name tells the language.
    ///   - collections: the collections of variables that the file leaves open.
    ///   - constants: those of all files of the program.
    ///   - aliases: other names of its modules.
    ///   - stack: how many bytes of the thread's stack may be used. It is known how deep code may be nested then; what is
    ///     nested deeper is unresolved.
    /// - Returns: nil if the language is not known.
    package static func read(
        _ source: [UInt8], path: String, collections: [String: String] = [:],
        constants: SourceConstants = SourceConstants(), aliases: ModuleAliases = ModuleAliases(),
        stack: Int = usualStack
    ) -> SourceReport? {
        let fileExtension = fileExtension(of: path)
        guard let language = Language.named(byExtension: fileExtension) else { return nil }
        return read(source, language, fileExtension, collections, constants, aliases, path: path, stack: stack)
    }

    /// Constants for other files stand in small files. Large ones would take time, and programs make them.
    private static let maximumConstantsSize = 128 << 10

    /// The texts to which a file gives names that other files may use.
    package static func constants(
        in source: [UInt8], path: String, stack: Int = usualStack
    ) -> SourceConstants {
        let fileExtension = fileExtension(of: path)
        guard source.count <= maximumConstantsSize, let language = Language.named(byExtension: fileExtension) else {
            return SourceConstants()
        }
        var lexer = Lexer(ScriptParts.code(source, fileExtension), language)
        // Constants for others stand outside of functions.
        var reader = Reader(lexer.tokens(), language, maximumDepth: stack / levelSize, readsBodies: false)
        let statements = reader.statements()
        let module = ModulePath.of(file: path)
        return SourceConstants(ConstantCollector(statements, reader), language, module: module)
    }

    private static func fileExtension(of path: String) -> String {
        path.split(separator: ".").last.map { String($0).lowercased() } ?? ""
    }

    /// Whether files with this extension, in lower case, are read.
    package static func reads(fileExtension: String) -> Bool { Language.named(byExtension: fileExtension) != nil }

    static func read(
        _ source: [UInt8], _ language: Language, _ fileExtension: String, _ collections: [String: String],
        _ constants: SourceConstants = SourceConstants(), _ aliases: ModuleAliases = ModuleAliases(),
        path: String = "", stack: Int = usualStack
    ) -> SourceReport {
        let empty = SourceReport(language: language.name, sites: [], caller: .user)
        guard mayHaveQueries(source) else { return empty }
        let part = ScriptParts.code(source, fileExtension)
        var lexer = Lexer(part, language)
        let tokens = lexer.tokens()
        let isAboutFirestore = contains(source, "irestore") || !lexer.directives.isEmpty
        let names = SourceNames(tokens, language, constants.names(in: language), aliases, file: path)
        let hints = SourceHints(
            lexer.directives, source, collections: collections, names: names, isAboutFirestore: isAboutFirestore,
            isAboutOthers: !isAboutFirestore && others.contains { contains(source, $0) })
        var reader = Reader(tokens, language, maximumDepth: stack / levelSize, lexer.conditionalLines)
        let statements = reader.statements()
        let sites = Follower.sites(of: statements, reader, hints)
        guard !sites.isEmpty else { return empty }
        return SourceReport(language: language.name, sites: sites, caller: SourceCaller(source, language))
    }

    /// Whether a word occurs without which there is no query.
    private static func mayHaveQueries(_ source: [UInt8]) -> Bool {
        contains(source, "ollection") || contains(source, "irestore") || contains(source, "here")
    }

    /// Libraries that have methods such as `whereEqualTo`, too.
    private static let others = ["ParseQuery", "ParseObject", "LCQuery", "AVQuery", "SqlKata"]

    static func contains(_ source: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard source.count >= word.count else { return false }
        for index in 0...source.count - word.count where source[index] == word[0] {
            var offset = 1
            while offset < word.count, source[index + offset] == word[offset] { offset += 1 }
            if offset == word.count { return true }
        }
        return false
    }
}
