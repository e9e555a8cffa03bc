// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check every document and every index entry against each other, both ways.",
        discussion: """
            Prints what is wrong and ends with 1 if anything is.

            Example:
              hearth verify my.db
            """)

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        let output = Output()
        try database.open(.reading) { engine in
            System.expectDamage(endingWith: .found)
            let report: VerificationReport
            do {
                report = try engine.verify()
            } catch let error as EngineError {
                // It could begin to read: what keeps it from going on is what it found.
                output.line(error.message)
                throw ExitCode.found
            }
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
}
