// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

extension Edition: ExpressibleByArgument {}

/// The edition of the database that an index file is for.
struct EditionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database's edition: standard, enterprise or mongodb (default: .hearth.json's \"edition\", else firebase.json's, else standard).",
            valueName: "edition"))
    var edition: Edition?
}

extension Edition {
    /// What `.hearth.json` says, or a `firebase.json` in the current folder or above the file; else standard.
    static func of(_ path: String, _ settings: RuleSettings) -> Edition {
        guard let (place, database) = project(of: path) else { return settings.edition ?? .standard }
        return of(database, in: place, settings)
    }

    /// What `.hearth.json` says, or a database of the `firebase.json` at a path.
    static func of(_ database: FirebaseProject.Database, in path: String, _ settings: RuleSettings) -> Edition {
        guard let edition = settings.edition else { return database.edition }
        if database.saysEdition, database.edition != edition, warning.isFirst() {
            Diagnostics.write(
                "hearth: warning: \"\(settings.path)\" says edition \(edition.rawValue), \"\(path)\" "
                    + "\(database.edition.rawValue): the former counts")
        }
        return edition
    }

    private static let warning = Once()

    /// The database whose index file this is, and the `firebase.json` that names it.
    private static func project(of path: String) -> (place: String, database: FirebaseProject.Database)? {
        guard path != "-" else { return nil }
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
            if let database { return (name, database) }
        }
        return nil
    }

    /// What a server says that stands for Standard databases only.
    var refusal: String { "the edition \(rawValue) is not served, only standard" }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }
}
