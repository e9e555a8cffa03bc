// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import ReplicaStore

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the file's pages, every document and every index entry, both ways.",
        discussion: """
            Prints what is wrong, and ends with 1 if anything is. The file is read in a child process, so that a crash \
            caused by damage becomes a finding.

            Example:
              hearth verify my.db
            """)

    @OptionGroup var database: DatabaseArgument

    @Flag(help: .hidden)
    var inThisProcess = false

    func run() throws {
        if inThisProcess { return try check() }
        switch try? System.runAgain(["verify", "--in-this-process", "--", database.path]) {
        case nil: try check()
        case .exit(0): break
        case .exit(let code): throw ExitCode(code)
        case .signal(let number, let name):
            Output().line("signal \(number) (\(name)) ended the check: the file cannot be read to its end")
            throw ExitCode.found
        }
    }

    private func check() throws {
        System.expectDamage(endingWith: .found)
        let report: VerificationReport
        do {
            report = try Engine.verify(fileAt: database.path, records: ReplicaCheck.check(of:))
        } catch {
            throw CommandFailure(error, database: database.path)
        }
        let output = Output()
        for problem in report.problems { output.line(problem) }
        if report.problemCount > report.problems.count {
            output.line("… and \(Numbers.grouped(report.problemCount - report.problems.count)) more")
        }
        let seen =
            "\(Numbers.counted(report.documents, "document")) and "
            + Numbers.counted(report.entries, "index entry", "index entries")
        guard report.problemCount == 0 else {
            output.line("\(seen) checked: \(Numbers.counted(report.problemCount, "problem"))")
            throw ExitCode.found
        }
        output.line("\(seen) checked: nothing is wrong")
    }
}
