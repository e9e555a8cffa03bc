// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What `.hearth.json` says about source: `{"source":{"collections":{"circlesQuery":"circles"},"exclude":["legacy"]}}`.
struct SourceSettings {
    /// Collections by names of variables, which a path may precede: `src/feed.ts:ref`. `group:` names a collection group.
    private var collections: [(path: String?, name: String, collection: String)] = []
    private(set) var excluded: [String] = []

    static func read() throws(CommandFailure) -> SourceSettings {
        var settings = SourceSettings()
        guard System.exists(RuleSettings.usualFile) else { return settings }
        let root: JSONNode
        do {
            root = try JSONParser.parse(try InputFile.contents(RuleSettings.usualFile), .withComments)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure("\"\(RuleSettings.usualFile)\" is not valid JSON: \(error)")
        }
        guard let source = root["source"] else { return settings }
        guard isSound(source) else {
            throw CommandFailure(
                "\"\(RuleSettings.usualFile)\": \"source\" must be like "
                    + "{\"collections\":{\"circlesQuery\":\"circles\"},\"exclude\":[\"legacy\"]}")
        }
        for member in source["collections"]?.members ?? [] {
            guard let collection = member.node.string else { continue }
            let colon = member.key.lastIndex(of: ":")
            let path = colon.map { SourceFiles.spelled(String(member.key[..<$0])) }
            let name = colon.map { String(member.key[member.key.index(after: $0)...]) } ?? member.key
            settings.collections.append((path, name, collection))
        }
        settings.excluded = source["exclude"]?.elements?.compactMap(\.string) ?? []
        return settings
    }

    private static func isSound(_ source: JSONNode) -> Bool {
        let collections = source["collections"].map { $0.members?.map(\.node) } ?? []
        let excluded = source["exclude"].map(\.elements) ?? []
        return source.members != nil
            && [collections, excluded].allSatisfy { $0?.allSatisfy { $0.string != nil } ?? false }
    }

    /// The collections of names in a file.
    func collections(in path: String) -> [String: String] {
        var result: [String: String] = [:]
        for entry in collections where entry.path == nil { result[entry.name] = entry.collection }
        for entry in collections where entry.path == path { result[entry.name] = entry.collection }
        return result
    }
}
