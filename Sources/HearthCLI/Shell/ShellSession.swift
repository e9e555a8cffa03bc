// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// Answers the lines of `hearth shell`.
final class ShellSession {
    private let engine: Engine
    private let output = Output()
    private var printer: AnswerPrinter
    private var values: [PlaceholderValue] = []
    /// The definitions that the last query lacked.
    private var fix: IndexConfiguration?
    /// 0 if every line could be answered.
    private(set) var exitCode: Int32 = 0
    private var fields: [String: [String]] = [:]

    init(_ engine: Engine, _ format: RowFormat) {
        self.engine = engine
        printer = AnswerPrinter(format)
    }

    static let help = """
        A query, as in code:  cities.where('state','==','CA').orderBy('population','desc').limit(3)
          .collections        the collections
          .get PATH           a document
          .indexes            the composite indexes and field overrides
          .explain on|off     print the plan of each query
          .format NAME        table, json, plain, csv or ndjson
          .set NAME=VALUE     the value of a variable in pasted queries
          .apply              build the index that the last query lacked
          .exit               or Control-D

        """

    /// Returns false if the session ends.
    func answer(_ line: String) -> Bool {
        let line = line.trimmed
        guard !line.isEmpty else { return true }
        do {
            if line.hasPrefix(".") {
                guard try command(line) else { return false }
            } else {
                try query(line)
            }
        } catch let error as ValidationError {
            fail(error.message)
        } catch let error as CommandFailure {
            fail(error.message, error.code)
        } catch let error as EngineError {
            fail(error.message, error.exitCode)
        } catch {
            fail("\(error)")
        }
        output.flush()
        printer.output.flush()
        return true
    }

    private func fail(_ message: String, _ code: Int32 = 1) {
        exitCode = max(exitCode, code)
        printer.output.flush()
        Diagnostics.write("hearth: \(message)")
    }

    // MARK: Queries

    private func query(_ text: String) throws {
        let input = try QueryInput(
            argument: text, database: engine.database, PlaceholderValues(values, areRequired: true))
        let catalog = try engine.catalog().indexes
        let outcome = QueryAnswer.Outcome.run(try input.request.get(), engine, allowScan: false)
        fix = nil
        if case .missingIndex(let error) = outcome, !error.isBuilding { fix = error.fix(for: catalog) }
        let answer = QueryAnswer(
            input: input, outcome: outcome, catalog: catalog, database: engine.database, named: engine.database)
        exitCode = max(exitCode, answer.exitCode)
        printer.write(answer)
        printer.output.flush()
        if fix != nil { Diagnostics.write(".apply builds this index") }
        try CollectionSpelling.help(input, engine)
    }

    // MARK: Commands

    private static let commands = [
        ".apply", ".collections", ".exit", ".explain", ".format", ".get", ".help", ".indexes", ".set",
    ]

    private func command(_ line: String) throws -> Bool {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1].trimmed : ""
        switch words[0] {
        case ".exit", ".quit": return false
        case ".help": output.text(ShellSession.help)
        case ".collections": for name in try engine.collectionIDs(under: nil) { output.line(name.string) }
        case ".indexes": output.text(ConfigurationWriter.text(try configuration()))
        case ".get": try get(rest)
        case ".explain": try explain(rest)
        case ".format": try format(rest)
        case ".set": try set(rest)
        case ".apply": try apply()
        default:
            let nearest = nearestWord(to: words[0], among: ShellSession.commands).map { "; did you mean \($0)?" } ?? ""
            throw ValidationError("there is no command \(words[0])\(nearest); .help lists them")
        }
        return true
    }

    private func configuration() throws -> IndexConfiguration {
        let catalog = try engine.catalog()
        return IndexConfiguration(
            indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides
        ).inCanonicalOrder
    }

    private func get(_ argument: String) throws {
        let path = try DocumentPath(argument: argument, in: engine.database)
        guard let document = try engine.document(path) else {
            throw ValidationError("there is no document \(path)")
        }
        var writer = JSONWriter()
        DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
        output.line(&writer)
    }

    private func explain(_ argument: String) throws {
        guard argument == "on" || argument == "off" else { throw ValidationError("write .explain on or .explain off") }
        printer.explains = argument == "on"
    }

    private func format(_ argument: String) throws {
        guard let format = RowFormat(argument: argument) else {
            let names = RowFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("the formats are \(names)")
        }
        let explains = printer.explains
        printer = AnswerPrinter(format)
        printer.explains = explains
    }

    private func set(_ argument: String) throws {
        guard let value = PlaceholderValue(argument: argument) else {
            throw ValidationError("write .set NAME=VALUE, such as .set state=CA")
        }
        values.append(value)
    }

    private func apply() throws {
        guard let fix else { throw ValidationError("the last query lacked no index") }
        guard !engine.isReadOnly else { throw ValidationError(".apply builds no index with --read-only") }
        let progress = ProgressBar("Building indexes")
        try engine.apply(try configuration().adding(fix), prune: false) {
            progress.show(documents: $0.documents, fraction: $0.fraction)
        }
        progress.finish()
        self.fix = nil
        for index in fix.indexes { output.line("built \(properties(index))") }
        for override in fix.fieldOverrides {
            output.line("built the indexes of \(override.collectionGroup).\(override.path?.wire ?? "*")")
        }
    }

    // MARK: Completion

    func completion(of text: String) -> Completion {
        if text.hasPrefix(".") {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count > 1 else { return Completion(ShellSession.commands, continuing: text) }
            switch words[0] {
            case ".explain": return Completion(["on", "off"], continuing: words[1])
            case ".format": return Completion(RowFormat.allCases.map(\.rawValue), continuing: words[1])
            case ".get": return Completion(collections.map { "\($0)/" }, continuing: words[1])
            default: return .none
            }
        }
        return QueryCompletion(collections: { self.collections }, fields: fields).completion(of: text)
    }

    private var collections: [String] { ((try? engine.collectionIDs(under: nil)) ?? []).map(\.string) }

    /// The fields of a collection's first documents.
    private func fields(of path: String) -> [String] {
        if let known = fields[path] { return known }
        let text =
            "collectionGroup(\(QueryText.text(of: .string(Text(String(path.split(separator: "/").last ?? "")))))).limit(50)"
        guard let request = try? QueryText.parse(text, database: engine.database),
            let documents = try? engine.run(request).documents
        else { return [] }
        let names = documents.flatMap { $0.fields.map(\.name.string) } + ["__name__"]
        fields[path] = names
        return names
    }
}

extension String {
    /// Without white space around it.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
