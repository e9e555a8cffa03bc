// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Checks files one after another, and those that a `firebase.json` names.
struct ValidationRun {
    let settings: RuleSettings
    /// Nil for what `firebase.json` says.
    let edition: Edition?
    let fixes: Bool
    private(set) var list = FindingList()
    private(set) var checked = 0
    /// Whether a file could not be read.
    private(set) var hasFailed = false

    init(settings: RuleSettings, edition: Edition?, fixes: Bool) {
        self.settings = settings
        self.edition = edition
        self.fixes = fixes
    }

    mutating func check(_ path: String) {
        do throws(CommandFailure) {
            let source = try InputFile.contents(path)
            if let root = try? JSONParser.parse(source, .withComments), FirebaseProject.isOne(root) {
                checkProject(path, source, FirebaseProject(root))
            } else {
                try checkIndexes(path, source)
            }
        } catch {
            hasFailed = true
            list.notice(.error, error.message)
        }
    }

    private mutating func checkIndexes(_ path: String, _ read: [UInt8], edition: Edition? = nil) throws(CommandFailure)
    {
        var source = read
        let edition = self.edition ?? edition ?? Edition.of(path, settings)
        if fixes, let (fixed, count) = ConfigurationReader.fixed(source, for: edition, except: settings.off) {
            try OutputFile.replace(path, fixed)
            Diagnostics.write("hearth: \"\(path)\": \(Numbers.counted(count, "place")) fixed")
            source = fixed
        }
        let findings = ConfigurationReader.read(source, for: edition).findings
        list.add(findings, path: path, source: source, settings)
        checked += 1
    }

    private mutating func checkProject(_ path: String, _ source: [UInt8], _ project: FirebaseProject) {
        var findings = project.findings
        let folder = InputFile.folder(of: path)
        var files: [(path: String, edition: Edition)] = []
        for database in project.databases {
            guard let name = database.indexes else { continue }
            if System.exists(folder + name) {
                if !files.contains(where: { $0.path == folder + name }) {
                    files.append((folder + name, edition ?? Edition.of(database, in: path, settings)))
                }
            } else {
                findings.append(
                    LintFinding(
                        rule: .missingFile, offset: database.indexesOffset,
                        message: "there is no file \"\(name)\": correct the path, or create the file"))
            }
        }
        findings.sort { $0.offset < $1.offset }
        list.add(findings, path: path, source: source, settings)
        checked += 1
        for file in files {
            do throws(CommandFailure) {
                try checkIndexes(file.path, try InputFile.contents(file.path), edition: file.edition)
            } catch {
                hasFailed = true
                list.notice(.error, error.message)
            }
        }
    }
}
