// SPDX-License-Identifier: Apache-2.0

/// The constants of files in one language: by their names alone, and by the modules that have them.
struct SharedConstants: Sendable {
    private struct Module {
        let path: [String]
        let values: [String: SourceConstants.Value]
    }

    /// By name, such as `COLLECTIONS.users`.
    private var values: [String: SourceConstants.Value] = [:]
    /// By the last names of their paths.
    private var modules: [String: [Module]] = [:]
    /// Members to which a file assigns, maybe of another file's object.
    private var assigned = AssignedMembers()

    /// More files of one name are not told apart: each use of a name looks through them.
    private static let maximumCount = 64

    /// No chain of names that people write begins with more modules.
    private static let maximumDepth = 4

    init() {}

    init(_ collector: ConstantCollector, _ language: Language, module: [String]) {
        values = collector.constants
        assigned = collector.assignedMembers
        guard ["javascript", "python"].contains(language.name), let last = module.last else { return }
        modules[last] = [Module(path: module, values: collector.values)]
    }

    mutating func merge(_ other: SharedConstants) {
        values.merge(other.values) { $0.merged(with: $1) }
        assigned.formUnion(other.assigned)
        for (name, found) in other.modules where modules[name, default: []].count <= SharedConstants.maximumCount {
            modules[name, default: []] += found
        }
    }

    /// What all files say that give something the name; nil if none does.
    func value(of name: String) -> SourceConstants.Value? { assigned.contains(name) ? nil : values[name] }

    /// What a module says; nil if it is not read or does not say it. The first names may be those of modules in it.
    func value(of names: [String], in module: ModuleReference) -> SourceConstants.Value? {
        var path = module
        for (index, name) in names.prefix(SharedConstants.maximumDepth).enumerated() {
            if let value = value(of: names[index...].joined(separator: "."), inFiles: path) { return value }
            path.names.append(name)
        }
        return nil
    }

    /// Whether a module is among the files.
    func hasModule(_ module: ModuleReference) -> Bool {
        guard let last = module.names.last, let files = modules[last] else { return false }
        return files.contains { module.matches($0.path) }
    }

    private func value(of name: String, inFiles module: ModuleReference) -> SourceConstants.Value? {
        guard let last = module.names.last, let files = modules[last], files.count <= SharedConstants.maximumCount,
            !assigned.contains(name)
        else { return nil }
        let found = files.filter { module.matches($0.path) }.compactMap { $0.values[name] }
        return found.dropFirst().reduce(found.first) { $0?.merged(with: $1) }
    }
}
