// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// An import whose input fails in the middle.
@Suite(TerminalSession.required) struct ImportFailureTests {
    /// The other side of a terminal that is gone: its text, then an I/O error.
    private func failing(after text: String) throws -> FileHandle {
        let (master, path) = try TerminalSession.openMaster()
        let slave = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
        try slave.write(contentsOf: Data(text.utf8))
        try slave.close()
        return FileHandle(fileDescriptor: master, closeOnDealloc: true)
    }

    @Test func saysWhatIsImported() throws {
        let bench = try Workbench()
        let lines = (1...3).map { "{\"a\":\($0)}\n" }.joined() + "{\"a\""
        let process = try bench.process(["import", "a.db", "-", "--collection", "c"], from: failing(after: lines))
        process.waitUntilExit()
        let errors = String(decoding: try bench.contents(".errors"), as: UTF8.self)
        #expect(process.terminationStatus == 2)
        #expect(
            errors == """
                hearth: could not read "standard input": Input/output error, behind line 3; what was read is imported, and \
                the rest begins at line 4

                """)
        #expect(
            String(decoding: try bench.contents(".output"), as: UTF8.self) == "3 documents imported, 0 rejected\n")
        #expect(try bench.hearth("query", "a.db", "c.count()").output.contains("3"))
    }
}
