// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Other names by which files of TypeScript import files of their program, as `tsconfig.json` has them: `"@app/*": ["src/*"]`.
package struct ModuleAliases: Sendable {
    fileprivate struct Rule: Sendable {
        /// What is before the star and behind it; without a star all of it is before.
        let before: String
        let after: String?
        /// Paths from the working folder on, with a star.
        let targets: [String]
    }

    private var rules: [Rule]?
    /// Where a module is looked for that has no alias.
    private var base: String?
    /// The paths of configurations from which it has what it does not say, those that count most first.
    package private(set) var extended: [String] = []

    /// The names of the working folder and those around it, by which a configuration around it knows files in it.
    package var workingFolder: [String] = []

    /// More of each are in no configuration that people write.
    private static let maximumCount = 100
    private static let maximumTargets = 4
    /// No module that people write has a longer name.
    private static let maximumLength = 1_000

    package init() {}

    /// What is no configuration has no aliases.
    ///
    /// - Parameter folder: the path of the file's folder.
    package init(configuration source: [UInt8], folder: String) {
        var commas: [Int] = []
        guard let root = try? JSONParser.parse(source, notingTrailingCommas: &commas) else { return }
        let options = root["compilerOptions"]
        base = options?["baseUrl"]?.string.map { ModuleAliases.path($0, in: folder) }
        let start = base ?? folder
        rules = options?["paths"]?.members?.prefix(ModuleAliases.maximumCount).map { member in
            let targets = (member.node.elements ?? []).compactMap(\.string).filter(ModuleAliases.isTarget)
                .prefix(ModuleAliases.maximumTargets)
            return ModuleAliases.rule(member.key, targets.map { ModuleAliases.path($0, in: start) })
        }
        let others = root["extends"].map { $0.elements ?? [$0] } ?? []
        let parts = root["references"]?.elements?.compactMap { $0["path"] } ?? []
        // Of several, each stands over those before it.
        let last = Array(others.suffix(ModuleAliases.maximumTargets).reversed())
        extended = (last + parts.prefix(ModuleAliases.maximumTargets))
            .compactMap(\.string).filter { $0.hasPrefix(".") }
            .map { ModuleAliases.path($0.hasSuffix(".json") ? $0 : "\($0).json", in: folder) }
    }

    /// With one star at most.
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && text.utf8.count(where: { $0 == UInt8(ascii: "*") }) <= 1
    }

    private static func rule(_ key: String, _ targets: [String]) -> Rule {
        guard let star = key.firstIndex(of: "*") else { return Rule(before: key, after: nil, targets: targets) }
        return Rule(before: String(key[..<star]), after: String(key[key.index(after: star)...]), targets: targets)
    }

    private static func path(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder == "." ? path : "\(folder)/\(path)"
    }

    /// Takes from another configuration what this one does not say.
    package mutating func extend(_ other: ModuleAliases) {
        if rules == nil { rules = other.rules }
        if base == nil { base = other.base }
    }

    /// Whether it is one of the names that have paths. A star alone says nothing of a module.
    func hasRule(for module: String) -> Bool {
        (rules ?? []).contains { $0.star(in: module) != nil && !($0.before.isEmpty && $0.after == "") }
    }

    /// The paths that a module may have, the likeliest first.
    func paths(of module: String) -> [[String]] {
        guard !module.hasPrefix("."), !module.hasPrefix("/"), module.utf8.count <= ModuleAliases.maximumLength else {
            return []
        }
        let matching = (rules ?? []).compactMap { rule in rule.star(in: module).map { (rule, $0) } }
        // The longest name before a star counts.
        let best = matching.max { $0.0.before.utf8.count < $1.0.before.utf8.count }
        var paths =
            best.map { rule, star in
                rule.targets.map { $0.replacing("*", with: star, maxReplacements: 1) }
            } ?? []
        if let base { paths.append("\(base)/\(module)") }
        return paths.map { ModulePath.of(path: $0).inside(workingFolder) }
    }
}

extension ModuleAliases.Rule {
    /// What stands for the star in a module; nil if the rule is not about it.
    fileprivate func star(in module: String) -> String? {
        guard let after else { return module == before ? "" : nil }
        guard module.utf8.count >= before.utf8.count + after.utf8.count, module.hasPrefix(before),
            module.hasSuffix(after)
        else { return nil }
        return String(module.dropFirst(before.count).dropLast(after.count))
    }
}
