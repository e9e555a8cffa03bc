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
        var failures = files.failures
        for path in files.paths {
            let source: [UInt8]
            do throws(CommandFailure) {
                source = try InputFile.contents(path)
            } catch {
                failures.append(error)
                continue
            }
            guard !isUTF16(source) else {
                failures.append(CommandFailure("\"\(path)\" is UTF-16 and was not read: save it as UTF-8"))
                continue
            }
            // Pages that are written by generators nest widgets deeply.
            let report = System.withStack(of: 64 << 20, or: QuerySource.usualStack) { stack in
                QuerySource.read(source, path: path, collections: settings.collections(in: path), stack: stack)
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
        for failure in failures { Diagnostics.write("hearth: \(failure.message)") }
        return failures.isEmpty
    }

    /// Whether it begins with the mark of UTF-16, or as an ASCII text in it.
    private static func isUTF16(_ source: [UInt8]) -> Bool {
        guard source.count >= 4 else { return false }
        let zeros = source[..<4].map { $0 == 0 }
        return source.starts(with: [0xFF, 0xFE]) || source.starts(with: [0xFE, 0xFF])
            || zeros == [false, true, false, true] || zeros == [true, false, true, false]
    }
}
