// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads `gcloud firestore indexes composite create`, `gcloud firestore indexes fields update` and
/// `gcloud firestore fields ttls update`. Other commands of a script are passed over.
struct GcloudReader {
    static func tree(_ source: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        var builder = ConfigurationTreeBuilder()
        var fields = GcloudFields()
        for words in try ShellWords.commands(source) {
            guard let start = words.firstIndex(where: { $0.text == "gcloud" || $0.text.hasSuffix("/gcloud") }) else {
                continue
            }
            let command = GcloudCommand(words[start...].dropFirst())
            switch command.path {
            case ["firestore", "indexes", "composite", "create"]: builder.add(index: command.index)
            case ["firestore", "indexes", "fields", "update"]: fields.add(command.override, "indexes")
            case ["firestore", "fields", "ttls", "update"]: fields.add(command.timeToLive, "ttl")
            default: continue
            }
            try builder.enter(database: command.database?.text, at: (command.database ?? words[start]).range.lowerBound)
        }
        for override in fields.overrides { builder.add(override: override) }
        return builder.tree(length: source.count)
    }
}

/// The overrides of commands. Two commands for one field change different parts of it.
private struct GcloudFields {
    /// What commands have set of the field, with the override.
    private var entries: [(set: Set<String>, node: JSONNode)] = []

    var overrides: [JSONNode] { entries.map(\.node) }

    /// - Parameter key: what the command sets. What else is in the override is how fields are without commands.
    mutating func add(_ override: JSONNode, _ key: String) {
        let place = entries.firstIndex { entry in
            !entry.set.contains(key)
                && ["collectionGroup", "fieldPath"].allSatisfy { entry.node[$0]?.string == override[$0]?.string }
        }
        guard let place else { return entries.append(([key], override)) }
        let (old, new) = (entries[place].node, override)
        let members = ["collectionGroup", "fieldPath", "ttl", "indexes"].compactMap { name in
            let source = name == key || old[name] == nil ? new : old
            return source.members?.first { $0.key == name }
        }
        entries[place] = (entries[place].set.union([key]), JSONNode(.object(members), range: old.range))
    }
}

/// A command with its options.
private struct GcloudCommand {
    /// The words before the options, without alpha and beta and without the argument.
    let path: [String]
    /// Nil if there is none.
    private let argument: ShellWords.Word?
    private let options: [(name: String, value: ShellWords.Word)]
    private let range: Range<Int>

    init(_ words: ArraySlice<ShellWords.Word>) {
        range = (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
        var plain: [ShellWords.Word] = []
        var options: [(name: String, value: ShellWords.Word)] = []
        var rest = words
        while let word = rest.popFirst() {
            guard word.text.hasPrefix("--") else {
                if !["alpha", "beta"].contains(word.text) { plain.append(word) }
                continue
            }
            let halves = word.text.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(halves[0])
            if halves.count > 1 {
                options.append((name, ShellWords.Word(text: String(halves[1]), range: word.range)))
            } else if let value = rest.first, !value.text.hasPrefix("--"), !GcloudCommand.flags.contains(name) {
                options.append((name, value))
                rest.removeFirst()
            } else {
                options.append((name, ShellWords.Word(text: "", range: word.range)))
            }
        }
        self.options = options
        let takesArgument =
            plain.count > 4 || plain.map(\.text).starts(with: ["firestore", "indexes", "fields", "update"])
        path = plain.prefix(4).map(\.text)
        argument = takesArgument ? plain.dropFirst(4).first : nil
    }

    private static let flags: Set<String> = [
        "async", "quiet", "multikey", "unique", "disable-indexes", "clear-exemption", "enable-ttl", "disable-ttl",
    ]

    /// Nil for the default one.
    var database: ShellWords.Word? { option("database") }

    /// An entry of `indexes`.
    var index: JSONNode {
        var members: [JSONMember] = []
        if let group = option("collection-group") { members.append(member("collectionGroup", group)) }
        members.append(scope(option("query-scope"), or: "COLLECTION"))
        let fields = options.filter { $0.name == "field-config" }.map { field($0.value) }
        members.append(
            JSONMember(key: "fields", keyOffset: range.lowerBound, node: JSONNode(.array(fields), range: range)))
        if let word = option("api-scope") {
            members.append(member("apiScope", word, GcloudCommand.constant(word.text)))
        }
        if let word = option("density") { members.append(member("density", word, GcloudCommand.constant(word.text))) }
        for key in ["multikey", "unique"] {
            guard let word = option(key) else { continue }
            members.append(
                JSONMember(
                    key: key, keyOffset: word.range.lowerBound, node: JSONNode(.boolean(true), range: word.range)))
        }
        return JSONNode(.object(members), range: range)
    }

    /// An entry of `fieldOverrides`.
    var override: JSONNode {
        let entries = options.filter { $0.name == "index" }.map { option in
            let parts = GcloudCommand.parts(option.value.text)
            var members = modes(parts, option.value)
            members.append(
                scope(
                    parts["query-scope"].map { ShellWords.Word(text: $0, range: option.value.range) }, or: "COLLECTION")
            )
            return JSONNode(.object(members), range: option.value.range)
        }
        let indexes =
            option("clear-exemption") == nil
            ? JSONNode(.array(entries), range: range) : ConfigurationTreeBuilder.automaticIndexes(range)
        return field(indexes: indexes, timeToLive: nil)
    }

    var timeToLive: JSONNode {
        field(indexes: ConfigurationTreeBuilder.automaticIndexes(range), timeToLive: option("disable-ttl") == nil)
    }

    private func field(indexes: JSONNode, timeToLive: Bool?) -> JSONNode {
        var members: [JSONMember] = []
        if let group = option("collection-group") { members.append(member("collectionGroup", group)) }
        if let argument { members.append(member("fieldPath", argument)) }
        if let timeToLive {
            members.append(
                JSONMember(key: "ttl", keyOffset: range.lowerBound, node: JSONNode(.boolean(timeToLive), range: range)))
        }
        members.append(JSONMember(key: "indexes", keyOffset: range.lowerBound, node: indexes))
        return JSONNode(.object(members), range: range)
    }

    /// A field of an index: `field-path=a,order=ascending`.
    private func field(_ word: ShellWords.Word) -> JSONNode {
        let parts = GcloudCommand.parts(word.text)
        var members: [JSONMember] = []
        if let path = parts["field-path"] { members.append(member("fieldPath", word, path)) }
        members += modes(parts, word)
        if let vector = parts["vector-config"] {
            // Both numbers may be strings: {"dimension":"3","flat":"{}"}.
            let node = try? JSONParser.parse(vector)
            let dimension = node?["dimension"].flatMap { $0.number?.text ?? $0.string } ?? "0"
            let config = JSONNode(
                .object([
                    JSONMember(
                        key: "dimension", keyOffset: word.range.lowerBound,
                        node: JSONNode(.number(JSONNumber(text: dimension)), range: word.range)),
                    JSONMember(
                        key: "flat", keyOffset: word.range.lowerBound, node: JSONNode(.object([]), range: word.range)),
                ]), range: word.range)
            members.append(JSONMember(key: "vectorConfig", keyOffset: word.range.lowerBound, node: config))
        }
        return JSONNode(.object(members), range: word.range)
    }

    private func modes(_ parts: [String: String], _ word: ShellWords.Word) -> [JSONMember] {
        [("order", "order"), ("array-config", "arrayConfig")].compactMap { name, key in
            parts[name].map { member(key, word, GcloudCommand.constant($0)) }
        }
    }

    private func scope(_ word: ShellWords.Word?, or standard: String) -> JSONMember {
        let place = ShellWords.Word(text: standard, range: word?.range ?? range)
        return member("queryScope", place, word.map { GcloudCommand.constant($0.text) } ?? standard)
    }

    private func option(_ name: String) -> ShellWords.Word? { options.last { $0.name == name }?.value }

    private func member(_ key: String, _ word: ShellWords.Word, _ text: String? = nil) -> JSONMember {
        JSONMember(
            key: key, keyOffset: word.range.lowerBound, node: JSONNode(.string(text ?? word.text), range: word.range))
    }

    /// `collection-group` is COLLECTION_GROUP.
    private static func constant(_ text: String) -> String { text.uppercased().replacing("-", with: "_") }

    /// `a=1,b=2`, or `^;^a=1;b=2`.
    private static func parts(_ text: String) -> [String: String] {
        var parts: [String: String] = [:]
        for piece in pieces(text) {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2 { parts[String(halves[0])] = String(halves[1]) }
        }
        return parts
    }

    private static func pieces(_ text: String) -> [Substring] {
        if text.hasPrefix("^") {
            let halves = text.dropFirst().split(separator: "^", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2, !halves[0].isEmpty { return halves[1].split(separator: halves[0]) }
        }
        // A value in braces may contain commas.
        var depth = 0
        return text.split { character in
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            return character == "," && depth == 0
        }
    }
}
