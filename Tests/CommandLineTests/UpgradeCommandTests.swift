// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import TestSupport
import Testing

/// Files of older formats as a program sees them: every command refuses them, `repair` upgrades them.
@Suite struct UpgradeCommandTests {
    private static let folder = Locations.packageRoot.appending(path: "Tests/DocumentEngineTests/Formats")
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func copy(of format: Int) throws {
        let file = Self.folder.appending(path: "format-\(format).db")
        try Data(contentsOf: file).write(to: bench.folder.url.appending(path: "old.db"))
    }

    private func exported() throws -> String {
        try String(contentsOf: Self.folder.appending(path: "format-3.ndjson"), encoding: .utf8)
    }

    @Test(arguments: 1...4) func onlyRepairTakesAnOlderFormat(_ format: Int) throws {
        try copy(of: format)
        let before = try bench.contents("old.db")
        let commands = [
            ["verify"], ["stats"], ["export"], ["get", "cities/c1"], ["delete", "cities/c1"], ["indexes", "list"],
            ["backup"], ["compact"],
        ]
        for command in commands {
            var arguments = command
            arguments.insert("old.db", at: command.first == "indexes" ? 2 : 1)
            if ["backup", "compact"].contains(command[0]) { arguments.append("copy.db") }
            let run = try bench.hearth(arguments: arguments)
            #expect(run.code == 2 && run.output == "", "\(arguments)")
            #expect(run.errors.contains("has format \(format), made by an older version of Hearth"), "\(arguments)")
            #expect(run.errors.contains("hearth repair old.db"), "\(arguments)")
        }
        #expect(try bench.contents("old.db") == before)
        let repaired = try bench.hearth("repair", "old.db")
        #expect(repaired.code == 0 && repaired.lines.first == "upgraded from format \(format)")
        #expect(try bench.hearth("verify", "old.db").code == 0)
        #expect(try bench.hearth("export", "old.db").output == exported())
        #expect(try bench.hearth("repair", "old.db").lines.count == 1)
    }

    /// An older version that goes on would write records in its own format.
    @Test func anUpgradeIsRefusedWhileAnotherProcessHasTheFile() throws {
        try copy(of: 3)
        do {
            let environment = try Environment.open(bench.path("old.db"), .init(mapSize: 16 << 20, readOnly: true))
            try environment.read { (_: borrowing ReadTransaction) throws(LMDBError) in }
            let run = try bench.hearth("repair", "old.db")
            #expect(run.code == 2 && run.errors.contains("Another process has the database open."))
            withExtendedLifetime(environment) {}
        }
        #expect(try bench.hearth("stats", "old.db").errors.contains("has format 3"))
        #expect(try bench.hearth("repair", "old.db").code == 0)
    }

    @Test func aKilledUpgradeLeavesTheOldFormatOrTheNew() throws {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(100) {
            try copy(of: 3)
            let process = Process()
            process.executableURL = try Locations.program("hearth")
            process.arguments = ["repair", bench.path("old.db")]
            process.standardOutput = FileHandle.nullDevice
            try process.start()
            usleep(UInt32(random.int(0..<60_000)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let stats = try bench.hearth("stats", "old.db")
            if stats.code != 0 {
                #expect(stats.errors.contains("has format 3, made by an older version"))
                #expect(try bench.hearth("repair", "old.db").lines.first == "upgraded from format 3")
            }
            #expect(try bench.hearth("verify", "old.db").code == 0)
            #expect(try bench.hearth("export", "old.db").output == exported())
        }
    }
}
