// SPDX-License-Identifier: Apache-2.0

/// What files say by which they change what other files see of a module.
struct ImportedOwners {
    private let imported: ImportedNames
    private let language: Language
    /// Names of JavaScript that stand for what a whole module exports.
    private var modules: Set<String> = []

    init(_ tokens: [Token], _ language: Language) {
        self.language = language
        // Which modules are files of the program is not known yet.
        imported = ImportedNames(tokens, language, file: "") { ModuleReference(names: [$0], isWhole: false) }
        guard language.name == "javascript" else { return }
        for (index, token) in tokens.enumerated() where token.kind == .string {
            guard let first = ModuleNames.list(before: index, tokens)?.first, first.kind == .name else { continue }
            modules.insert(first.text)
        }
    }

    /// What a chain of names may be called in the module that has it; nothing if the first name is not imported.
    func names(of chain: [String]) -> [[String]] {
        guard let first = chain.first else { return [] }
        var rest = Array(chain.dropFirst())
        if !modules.contains(first), let shared = imported.shared(first) {
            // Without one, it may stand for different things, and be a module. The environment of a process has names of its own.
            guard let module = shared.module, module.names != ["os"] else { return [] }
            rest = shared.chain + rest
        }
        guard language.name == "python" else { return rest.isEmpty ? [] : [rest] }
        // Its first names may be those of modules.
        var result: [[String]] = []
        while let name = rest.first {
            result.append(rest)
            if Follower.isTypeName(name) { break }
            rest.removeFirst()
        }
        return result
    }

    /// What `module.exports.users` is called in other files.
    static func exported(_ chain: [String]) -> [[String]] {
        let start = chain.first == "module" ? ["module", "exports"] : ["exports"]
        return chain.count > start.count && chain.starts(with: start) ? [Array(chain.dropFirst(start.count))] : []
    }
}
