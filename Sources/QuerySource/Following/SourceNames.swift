// SPDX-License-Identifier: Apache-2.0

/// What the names of a file stand for that other files define.
struct SourceNames {
    private let constants: SharedConstants
    private let imported: ImportedNames
    /// Names that the file takes from packages.
    private let fromPackages: Set<String>
    private let assigned: AssignedMembers
    private let language: Language
    private let aliases: ModuleAliases
    private let file: String

    /// - Parameters:
    ///   - constants: those of all files of the program.
    ///   - file: the path of the file.
    init(
        _ tokens: [Token], _ language: Language, _ constants: SharedConstants, _ aliases: ModuleAliases, file: String
    ) {
        self.constants = constants
        self.language = language
        self.aliases = aliases
        self.file = file
        let path = { SourceNames.path($0, constants, aliases, file) }
        imported = ImportedNames(tokens, language, file: file, path: path)
        fromPackages = ModuleNames(tokens, language) { path($0) != nil }.fromPackages
        assigned = AssignedNames(tokens, language).members
    }

    /// The path of a module of JavaScript; nil if it is no file of the program. One that is looked for by `baseUrl` is among
    /// those that are read.
    private static func path(
        _ module: String, _ constants: SharedConstants, _ aliases: ModuleAliases, _ file: String
    ) -> ModuleReference? {
        let places = aliases.paths(of: module).map { ModuleReference(names: $0, isWhole: true) }
        if let place = places.first(where: { constants.hasModule($0) }) { return place }
        // Its rule says where it is, so that it is nowhere else.
        if aliases.hasRule(for: module) { return ModuleNames.isOwn(module) ? places.first : nil }
        return ModuleNames.isOwn(module) ? ModulePath.of(import: module, in: file) : nil
    }

    /// None.
    init() { self.init([], .javaScript, SharedConstants(), ModuleAliases(), file: "") }

    /// Nil if other files do not say it.
    func constant(named name: String) -> Known? {
        isFromPackage(name) ? nil : SourceNames.known(constants.value(of: name), name)
    }

    func constant(_ shared: SharedName) -> Known? {
        let name = shared.chain.joined(separator: ".")
        let value = shared.module.flatMap { constants.value(of: shared.chain, in: $0) }
        if let known = SourceNames.known(value, name) { return known }
        // The module may have it from another one, of which only the names are known.
        return shared.isMember || value != nil ? nil : constant(named: name)
    }

    private static func known(_ value: SourceConstants.Value?, _ name: String) -> Known? {
        switch value {
        case .text(let text)?: .text([text])
        case .several?: .unknown(Unknown(what: "'\(name)', to which other files give different values", name: name))
        case .computed?, nil: nil
        }
    }

    private func isFromPackage(_ name: String) -> Bool {
        !fromPackages.isEmpty && fromPackages.contains(String(name.prefix { $0 != "." }))
    }

    /// What other files may call what has a name here; nil if it is from a package.
    func shared(_ name: String) -> SharedName? { isFromPackage(name) ? nil : imported.shared(name) }

    /// What is in a module that the file imports by a call; nil if it is a package.
    func shared(inModule module: String) -> SharedName? {
        guard language.name == "javascript" else { return nil }
        return SourceNames.path(module, constants, aliases, file).map { SharedName(module: $0, isMember: true) }
    }

    func isAssigned(_ name: String) -> Bool { assigned.contains(name) }
}
