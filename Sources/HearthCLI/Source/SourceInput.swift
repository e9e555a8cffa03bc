// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONText
internal import QueryPlanner
internal import QuerySource

/// A file of source, read.
struct SourceFile {
    let path: String
    let lines: LineMap
    let report: SourceReport

    /// Passes the files under `paths` to `body`, in order. What cannot be read is said on standard error.
    ///
    /// - Returns: whether everything was read.
    static func forEach(_ paths: [String], _ body: (SourceFile) throws -> Void) throws -> Bool {
        let settings = try SourceSettings.read()
        let files = SourceFiles(paths, excluding: settings.excluded)
        let constants = constants(of: files.paths)
        var aliases = SourceAliases()
        var failures = files.failures
        for path in files.paths {
            let source: [UInt8]
            do throws(CommandFailure) {
                source = utf8(try InputFile.contents(path))
            } catch {
                failures.append(error)
                continue
            }
            let names = aliases.aliases(around: path)
            // Pages that are written by generators nest widgets deeply.
            let report = System.withStack(of: 64 << 20, or: QuerySource.usualStack) { stack in
                QuerySource.read(
                    source, path: path, collections: settings.collections(in: path), constants: constants,
                    aliases: names, stack: stack)
            }
            guard let report else {
                failures.append(CommandFailure("\"\(path)\" is in no language that is read"))
                continue
            }
            guard !report.sites.isEmpty else { continue }
            try body(SourceFile(path: path, lines: LineMap(source), report: report))
        }
        if files.paths.isEmpty, failures.isEmpty {
            let names = paths.map { "\"\($0)\"" }.joined(separator: ", ")
            Diagnostics.write(
                "hearth: warning: no file in \(names) is in a language that is read, so no query was looked for")
        }
        if let note = files.noteOnIgnored { Diagnostics.write("hearth: \(note)") }
        for failure in failures { Diagnostics.write("hearth: \(failure.message)") }
        return failures.isEmpty
    }

    /// The constants that files may use of each other.
    private static func constants(of paths: [String]) -> SourceConstants {
        guard paths.count > 1 else { return SourceConstants() }
        return System.withStack(of: 64 << 20, or: QuerySource.usualStack) { stack in
            var result = SourceConstants()
            for path in paths {
                // A file that cannot be read is said to be one when its queries are looked for.
                guard let contents = try? InputFile.contents(path) else { continue }
                result.merge(QuerySource.constants(in: utf8(contents), path: path, stack: stack))
            }
            return result
        }
    }

    /// A source as UTF-8. One in UTF-16 begins with the mark of it, or as an ASCII text in it.
    private static func utf8(_ source: [UInt8]) -> [UInt8] {
        guard source.count >= 4 else { return source }
        let zeros = source[..<4].map { $0 == 0 }
        let isLittle = source.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true]
        guard isLittle || source.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false] else {
            return source
        }
        let units = stride(from: 0, to: source.count - 1, by: 2).map { index in
            UInt16(source[index + (isLittle ? 1 : 0)]) << 8 | UInt16(source[index + (isLittle ? 0 : 1)])
        }
        return Array(String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self).utf8)
    }
}
