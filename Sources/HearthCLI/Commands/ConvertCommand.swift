// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Print an index file as JSON, Terraform or gcloud commands.",
        discussion: """
            The form of the file is recognised: a firestore.indexes.json, Terraform with google_firestore_index and \
            google_firestore_field, a script of gcloud commands, or what gcloud firestore indexes composite list \
            --format=json prints. Entries with errors are left out, and the command then ends with 1.

            Examples:
              hearth convert firestore.indexes.json --to terraform > indexes.tf
              hearth convert indexes.tf --to json > firestore.indexes.json
              hearth convert firestore.indexes.json --to gcloud
            """)

    enum Target: String, ExpressibleByArgument, CaseIterable {
        case json, terraform, gcloud
    }

    @Argument(help: "A file in any of the forms; - for standard input.", completion: .file())
    var file: String
    @Option(help: "json, terraform or gcloud.")
    var to: Target
    @OptionGroup var database: EditionOption

    func run() throws {
        let input = try ConfigurationFile.usable(file, appendingNameBy: .officialTool, edition: database.edition)
        let tree = try ConfigurationFormatter.node(input.source, for: input.edition, except: input.settings.harmless)
        if to != .json, let loss = FormLosses.first(in: tree) {
            throw CommandFailure("\"\(file)\" cannot be converted: \(loss), which --to json alone keeps")
        }
        if to == .terraform { warnOfTimeToLive(tree, ConfigurationForm.of(input.source)) }
        let text =
            switch to {
            case .json: tree.text(.indented) + "\n"
            case .terraform: TerraformWriter.text(tree)
            case .gcloud: GcloudWriter.text(tree)
            }
        Output(asData: true).text(text)
        try input.endAsRead()
    }

    /// What Terraform takes otherwise than a deployment does.
    private func warnOfTimeToLive(_ tree: JSONNode, _ form: ConfigurationForm) {
        let off = FormLosses.countWithoutTimeToLive(in: tree)
        if off > 0 {
            Diagnostics.write(
                "hearth: warning: \"ttl\": false of \(Numbers.counted(off, "override")) is left out: Terraform has no word "
                    + "for it, and switches a TTL off where a google_firestore_field has no ttl_config")
        }
        // In the other forms, a field of which no TTL is told has none.
        let open = [.json, .gcloud].contains(form) ? FormLosses.countOpenTimeToLive(in: tree) : 0
        if open > 0 {
            Diagnostics.write(
                "hearth: warning: \(Numbers.counted(open, "override")) without \"ttl\": a deployment leaves a TTL of the field as "
                    + "it is, and Terraform switches it off; add ttl_config {} where there is one")
        }
    }
}
