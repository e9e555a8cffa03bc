// SPDX-License-Identifier: Apache-2.0

/// What may be a constant of another file: a name, or one behind a module.
struct SharedName: Sendable, Equatable {
    /// The path of its module; nil if only names are known.
    var module: ModuleReference?
    /// `COLLECTIONS.users`; empty for the module itself.
    var chain: [String] = []
    /// Whether it is in the module and nowhere else.
    var isMember = false

    /// More names are not those of a constant.
    private static let maximumCount = 8

    /// A member of it; nil if it is none that matters.
    func member(_ name: String) -> SharedName? {
        guard chain.count < SharedName.maximumCount, !name.contains(".") else { return nil }
        var result = self
        result.chain.append(name)
        return result
    }
}

/// The names that a file takes from modules, which may be files of the program.
struct ImportedNames {
    /// Nil for a name that stands for different things.
    private var names: [String: SharedName?] = [:]
    private let file: String

    /// - Parameters:
    ///   - file: its path.
    ///   - path: the path of a module of JavaScript; nil if it is no file of the program.
    init(_ tokens: [Token], _ language: Language, file: String, path: (String) -> ModuleReference?) {
        self.file = file
        switch language.name {
        case "javascript":
            for (index, token) in tokens.enumerated() where token.kind == .string {
                // `require("module").names` gives others.
                guard let list = ModuleNames.list(before: index, tokens),
                    tokens[(index + 1)...].prefix(2).map(\.text) != [")", "."], let module = path(token.text)
                else { continue }
                readList(list, module)
            }
        case "python":
            for (index, token) in tokens.enumerated() where token.kind == .name && token.startsLine {
                if token.text == "import" { readImport(tokens[(index + 1)...]) }
                if token.text == "from" { readFrom(tokens[(index + 1)...]) }
            }
        default: break
        }
    }

    /// What a name stands for that the file does not define; nil if it may be different things.
    func shared(_ name: String) -> SharedName? { names[name] ?? SharedName(chain: [name]) }

    private mutating func add(_ name: String, _ shared: SharedName) {
        if let old = names[name] {
            if old != shared { names[name] = .some(nil) }
        } else {
            names[name] = shared
        }
    }

    // MARK: JavaScript

    /// `* as names` and `{ A, B as C }` before `from "module"`, or `{ A, B: C }` before `= require("module")`.
    private mutating func readList(_ list: ArraySlice<Token>, _ module: ModuleReference) {
        var rest = list
        var isInBraces = false
        while let token = rest.popFirst() {
            if token.isMark("{") { isInBraces = true }
            let isRenamed = rest.first?.isName("as") == true || rest.first?.isMark(":") == true
            if token.isMark("*"), isRenamed, let name = rest.dropFirst().first {
                add(name.text, SharedName(module: module, isMember: true))
                rest = rest.dropFirst(2)
            }
            guard token.kind == .name, isInBraces else { continue }
            // `type A`
            if token.text == "type", !isRenamed, rest.first?.kind == .name { continue }
            guard isRenamed else {
                add(token.text, SharedName(module: module, chain: [token.text]))
                continue
            }
            let shared = SharedName(module: module, chain: [token.text])
            guard let local = rest.dropFirst().first, local.kind == .name else { return }
            add(local.text, shared)
            // `B as C` declares C with the value of B.
            if rest.first?.kind == .name { add(token.text, shared) }
            rest = rest.dropFirst(2)
        }
    }

    // MARK: Python

    /// `import a.b as c, d`
    private mutating func readImport(_ tokens: ArraySlice<Token>) {
        var rest = tokens
        repeat {
            let path = ImportedNames.path(&rest)
            guard let first = path.first else { return }
            if let name = ImportedNames.alias(&rest) {
                add(name, SharedName(module: ModuleReference(names: path, isWhole: false), isMember: true))
            } else {
                add(first, SharedName(module: ModuleReference(names: [first], isWhole: false), isMember: true))
            }
        } while ImportedNames.accept(",", &rest)
    }

    /// `from .a import b, c as d`
    private mutating func readFrom(_ tokens: ArraySlice<Token>) {
        var rest = tokens
        var dots = 0
        while let token = rest.first, token.kind == .mark, token.text.allSatisfy({ $0 == "." }) {
            dots += token.text.utf8.count
            rest = rest.dropFirst()
        }
        let path = ImportedNames.path(&rest)
        let folder = dots > 0 ? ModulePath.folder(of: file, up: dots - 1) : []
        let module = ModuleReference(names: folder + path, isWhole: dots > 0)
        guard rest.popFirst()?.isName("import") == true else { return }
        _ = ImportedNames.accept("(", &rest)
        repeat {
            guard let name = rest.first, name.kind == .name else { return }
            rest = rest.dropFirst()
            add(ImportedNames.alias(&rest) ?? name.text, SharedName(module: module, chain: [name.text]))
        } while ImportedNames.accept(",", &rest)
    }

    private static func accept(_ mark: String, _ tokens: inout ArraySlice<Token>) -> Bool {
        guard tokens.first?.isMark(mark) == true else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    private static func path(_ tokens: inout ArraySlice<Token>) -> [String] {
        var names: [String] = []
        repeat {
            guard let token = tokens.first, token.kind == .name, token.text != "import", !token.startsLine else {
                break
            }
            names.append(token.text)
            tokens = tokens.dropFirst()
        } while accept(".", &tokens)
        return names
    }

    private static func alias(_ tokens: inout ArraySlice<Token>) -> String? {
        guard tokens.first?.isName("as") == true, let name = tokens.dropFirst().first, name.kind == .name else {
            return nil
        }
        tokens = tokens.dropFirst(2)
        return name.text
    }
}
