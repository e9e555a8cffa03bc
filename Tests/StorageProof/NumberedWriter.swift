// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Glibc
import TestSupport

/// Makes numbered commits beside other processes, until it is killed or lacks a resource.
///
/// A commit adds a document, counts in a document that all writers share, and sets the two documents of a pair to the same
/// values. After each commit, a line tells its number.
struct NumberedWriter {
    /// `number DATABASE NAME FIRST LAST [files|size LIMIT]`
    let arguments: [String]

    func run() {
        if arguments.count > 5 { NumberedWriter.limit(arguments[5], to: UInt(arguments[6])!) }
        var options = Engine.Options()
        options.mapSize = 1 << 18
        do throws(EngineError) {
            let engine = try Engine.open(arguments[1], options)
            for number in Int(arguments[3])!...Int(arguments[4])! {
                _ = try engine.commit(NumberedWriter.writes(number, by: arguments[2]))
                let line = Array("\(number)\n".utf8)
                guard Glibc.write(1, line, line.count) == line.count else { exit(4) }
            }
        } catch {
            print("error: \(error)")
            exit(3)
        }
    }

    private static func writes(_ number: Int, by name: String) -> [Write] {
        let fields = Fields([
            Field("by", .string(Text(name))), Field("n", .integer(Int64(number))),
            // Overflow pages, and a file that soon reaches a limit.
            Field("x", .bytes([UInt8](repeating: 1, count: number % 7 == 0 ? 20_000 : 100))),
        ])!
        let paths = [Text(name), "pair", "pair"]
        let ids = [Text("\(number)"), "left", "right"]
        let count = FieldTransform("n", .increment(.integer(1)))
        return zip(paths, ids).map { .set(DocumentPath(ResourcePath(segments: [$0, $1])), fields) }
            + [Write("shared/count", .update(.empty, mask: [], transforms: [count]))]
    }

    /// Takes a resource away from this process.
    private static func limit(_ resource: String, to limit: UInt) {
        let kind = ["files": RLIMIT_NOFILE, "size": RLIMIT_FSIZE][resource]!
        var values = rlimit(rlim_cur: limit, rlim_max: limit)
        // A file that reaches the limit is then an error and no signal.
        Glibc.signal(SIGXFSZ, SIG_IGN)
        guard setrlimit(__rlimit_resource_t(kind.rawValue), &values) == 0 else { exit(5) }
    }
}
