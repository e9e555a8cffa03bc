// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

extension Edition: ExpressibleByArgument {}

/// The edition of the database that an index file is for.
struct EditionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database's edition: standard, enterprise or mongodb (default: firebase.json's, else standard).",
            valueName: "edition"))
    var edition: Edition?
}

extension Edition {
    /// What a `firebase.json` in the current folder or above the file says about it, or `.hearth.json`; else standard.
    static func of(_ path: String, _ settings: RuleSettings) -> Edition {
        if let edition = settings.edition { return edition }
        guard path != "-" else { return .standard }
        let file = parts(path)
        var places = [["firebase.json"]]
        for count in file.indices.dropFirst() { places.append(file.prefix(count) + ["firebase.json"]) }
        for place in places {
            let name = (path.hasPrefix("/") && place.count > 1 ? "/" : "") + place.joined(separator: "/")
            guard System.exists(name), let source = try? InputFile.contents(name),
                let root = try? JSONParser.parse(source, .withComments)
            else { continue }
            let database = FirebaseProject(root).databases.first { database in
                database.indexes.map { place.dropLast() + parts($0) == file } ?? false
            }
            if let database { return database.edition }
        }
        return .standard
    }

    /// What a server says that stands for Standard databases only.
    var refusal: String { "the edition \(rawValue) is not served, only standard" }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }
}
