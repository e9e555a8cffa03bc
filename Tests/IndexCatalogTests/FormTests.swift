// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import TestSupport
import Testing

enum RealFiles {
    static func all(_ folder: URL) throws -> [(name: String, source: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".json") }.sorted()
            .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }
}

/// Terraform, gcloud commands and listings.
@Suite struct FormTests {
    private func canonical(_ source: String) throws -> String {
        try ConfigurationFormatter.node(Array(source.utf8), for: .standard).text(.indented)
    }

    private static let terraform = """
        # The indexes of the application.
        variable "project" {}
        resource "google_firestore_database" "db" {
          name = "(default)"
          cmek_config { kms_key_name = "k" }
        }
        resource "google_firestore_index" "feed" {
          project     = var.project
          database    = google_firestore_database.db.name
          collection  = "posts"
          query_scope = "COLLECTION_GROUP" // every user
          fields {
            field_path   = "tags"
            array_config = "CONTAINS"
          }
          fields {
            field_path = "at"
            order      = "DESCENDING"
          }
          lifecycle { ignore_changes = [fields] }
        }
        resource "google_firestore_field" "until" {
          collection = "sessions"
          field      = "until"
          index_config {}
          ttl_config {}
        }
        resource "google_firestore_index" "similar" {
          collection = "docs"
          fields {
            field_path = "embedding"
            vector_config {
              dimension = 3
              flat {}
            }
          }
        }
        """

    private static let commands = """
        #!/bin/sh
        set -e
        echo "gcloud firestore"
        gcloud firestore indexes composite create --project="$P" --collection-group=posts \\
          --query-scope=collection-group --field-config field-path=tags,array-config=contains \\
          --field-config=field-path=at,order=descending --async
        gcloud alpha firestore indexes fields update until --collection-group=sessions --disable-indexes && \\
          gcloud firestore indexes composite create --collection-group=docs \\
          --field-config='vector-config={"dimension":"3", "flat": "{}"},field-path=embedding'
        """

    private static let listing = """
        [{"name": "projects/p/databases/(default)/collectionGroups/posts/indexes/X", "queryScope": "COLLECTION_GROUP",
          "apiScope": "ANY_API", "density": "SPARSE_ALL", "state": "READY", "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "at", "order": "DESCENDING"},
            {"fieldPath": "__name__", "order": "DESCENDING"}]},
         {"name": "projects/p/databases/(default)/collectionGroups/docs/indexes/Y", "queryScope": "COLLECTION",
          "state": "CREATING", "fields": [{"fieldPath": "__name__", "order": "ASCENDING"},
            {"fieldPath": "embedding", "vectorConfig": {"dimension": 3, "flat": {}}}]}]
        """

    private static let json = """
        {"indexes": [
          {"collectionGroup": "docs", "queryScope": "COLLECTION",
           "fields": [{"fieldPath": "embedding", "vectorConfig": {"dimension": 3, "flat": {}}}]},
          {"collectionGroup": "posts", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "at", "order": "DESCENDING"}]}],
         "fieldOverrides": [{"collectionGroup": "sessions", "fieldPath": "until", "ttl": true, "indexes": []}]}
        """

    @Test func formsAreRecognised() {
        #expect(ConfigurationForm.of(Array(Self.terraform.utf8)) == .terraform)
        #expect(ConfigurationForm.of(Array(Self.commands.utf8)) == .gcloud)
        #expect(ConfigurationForm.of(Array(Self.listing.utf8)) == .listing)
        #expect(ConfigurationForm.of(Array(Self.json.utf8)) == .json)
        #expect(ConfigurationForm.of(Array("// gcloud\n{}".utf8)) == .json)
        for cut in ["", " ", "/", "//", "/*", "/* gcloud *", "// gcloud"] {
            #expect(ConfigurationForm.of(Array(cut.utf8)) != .listing, "a source that is cut off")
        }
    }

    @Test func formsMeanTheSame() throws {
        let wanted = try canonical(Self.json)
        #expect(try canonical(Self.terraform) == wanted)
        #expect(try canonical(Self.commands) == wanted.replacing("\n      \"ttl\": true,", with: ""))
        // This listing has no fields.
        let indexes = wanted.split(separator: "\"fieldOverrides\"")[0]
        #expect(try canonical(Self.listing).split(separator: "\"fieldOverrides\"")[0] == indexes)
    }

    /// Whichever comes first.
    @Test func commandsForOneFieldChangeDifferentPartsOfIt() throws {
        let update = "gcloud firestore indexes fields update exp --collection-group=c --disable-indexes\n"
        let timeToLive = "gcloud firestore fields ttls update exp --collection-group=c --enable-ttl\n"
        let wanted = try canonical(
            #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "exp", "ttl": true, "indexes": []}]}"#)
        #expect(try canonical(update + timeToLive) == wanted)
        #expect(try canonical(timeToLive + update) == wanted)
        #expect(places(Array((update + timeToLive).utf8)).isEmpty)
        #expect(places(Array((update + timeToLive + update).utf8)).map(\.rule) == ["duplicate-override"])
    }

    @Test func textsOfManyLinesArePassedOver() throws {
        let others = """
            resource "google_monitoring_dashboard" "d" {
              dashboard_json = jsonencode(<<-EOT
                { "a": ["b" }
                EOTX
                EOT
              )
              other = <<EOF
            resource "x {
            EOF
            }

            """
        #expect(try canonical(others + Self.terraform) == canonical(Self.terraform))
        #expect(places(Array(("a = <<EOF\nEOFX\n" + Self.terraform).utf8)).map(\.rule) == ["syntax"])
    }

    /// Where the elements of `for_each` are literals, each one makes a resource.
    @Test func resourcesForEachElement() throws {
        let source = """
            locals {
              names = ["a", "b", "a"] # a set has each once
              others = local.names
              orders = {
                c = { scope = "COLLECTION_GROUP", "field" : "n" }
              }
            }
            resource "google_firestore_index" "set" {
              for_each   = toset(local.others)
              database   = each.key
              collection = each.value
              fields {
                field_path = "x"
                order      = "ASCENDING"
              }
              fields {
                field_path = "y"
                order      = "DESCENDING"
              }
            }
            resource "google_firestore_index" "map" {
              for_each    = local.orders
              collection  = each.key
              query_scope = each.value.scope
              fields {
                field_path = "x"
                order      = "ASCENDING"
              }
              fields {
                field_path = each.value.field
                order      = "ASCENDING"
              }
            }
            resource "google_firestore_field" "databases" {
              for_each   = toset(["d", "e"])
              database   = each.value
              collection = "sessions"
              field      = "until"
              ttl_config {}
            }
            """
        let wanted = """
            {"indexes": [
              {"collectionGroup": "a", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "y", "order": "DESCENDING"}]},
              {"collectionGroup": "b", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "y", "order": "DESCENDING"}]},
              {"collectionGroup": "c", "queryScope": "COLLECTION_GROUP", "fields": [
                {"fieldPath": "x", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]}
            ]}
            """
        let (configuration, findings) = ConfigurationReader.read(Array(source.utf8))
        #expect(findings.allSatisfy { $0.severity != .error }, "\(findings.map(\.message))")
        #expect(configuration.indexes == ConfigurationReader.read(Array(wanted.utf8)).configuration.indexes)
        #expect(configuration.fieldOverrides.count == 1)
    }

    /// A resource that only Terraform knows is left out, and the rest is read.
    @Test(arguments: [
        ("for_each = local.made\n  collection = each.key", "3:14 unknown-value"),
        ("for_each = var.names\n  collection = \"c\"", "3:14 unknown-value"),
        ("collection = each.value", "3:16 unknown-value"),
        ("collection = \"c\"\n  dynamic \"fields\" {\n    for_each = [1]\n  }", "4:3 unknown-value"),
    ])
    func resourcesThatOnlyTerraformKnows(_ lines: String, _ place: String) throws {
        let resource = """
            locals { made = { for name in var.names : name => 1 } }
            resource "google_firestore_index" "i" {
              \(lines)
            }

            """
        let rest = ConfigurationReader.read(Array(Self.terraform.utf8)).configuration
        let source = Array((resource + Self.terraform).utf8)
        #expect(places(source).map(\.description) == [place])
        #expect(ConfigurationReader.read(source).configuration == rest)
        #expect(ConfigurationReader.read(source, except: ["unknown-value"]).findings.isEmpty)
    }

    /// What `for_each` may make is counted for the whole file, and before resources that come to the same entry are dropped.
    @Test(arguments: [(1_000, 0, 11), (40, 100_000, 5)])
    func resourcesForTooManyElements(_ count: Int, _ length: Int, _ resources: Int) {
        let names = (0..<count).map { "\"n\($0)\"" }.joined(separator: ", ")
        let resource = """
            resource "google_firestore_field" "f" { # \(String(repeating: "x", count: length))
              for_each   = toset(local.names)
              database   = each.value
              collection = "c"
              field      = "f"
            }

            """
        let source = "locals { names = [\(names)] }\n" + String(repeating: resource, count: resources)
        let line = 2 + 6 * (resources - 1) + 1
        let unreadable = places(Array(source.utf8)).filter { $0.rule == "unknown-value" }
        #expect(unreadable.map(\.description) == ["\(line):16 unknown-value"])
    }

    /// A long text to which many names refer is written out for each of them.
    @Test(arguments: ["local.long", "each.value", "each.key"]) func namesForTooMuchText(_ name: String) {
        let element = name == "local.long" ? "" : "  for_each = toset([local.long])\n"
        let resource = """
            resource "google_firestore_field" "f" {
            \(element)  collection = \(name)
              field      = "f"
            }

            """
        let source = "locals { long = \"\(String(repeating: "x", count: 1 << 20))\" }\n"
        let (configuration, findings) = ConfigurationReader.read(
            Array((source + String(repeating: resource, count: 40)).utf8))
        let unreadable = findings.filter { $0.rule.id == "unknown-value" }
        #expect(unreadable.count >= 24)
        #expect(unreadable.allSatisfy { $0.message.contains("names stand for too much text") })
        #expect(configuration.fieldOverrides.count <= 16)
    }

    /// Of equal keys of an object the last one counts.
    @Test func membersOfObjects() {
        let source = """
            locals {
              names = { a = { b = "x", b = "c" } }
            }
            resource "google_firestore_field" "f" {
              collection = local.names.a.b
              field      = "f"
              ttl_config {}
            }
            """
        #expect(
            ConfigurationReader.read(Array(source.utf8)).configuration.fieldOverrides.map(\.collectionGroup) == ["c"])
    }

    /// HCL passes over the mark; the first resource was lost with it.
    @Test func byteOrderMark() throws {
        let index = "resource \"google_firestore_index\" \"i\" {\n  collection = \"c\"\n}\n"
        for source in [Self.terraform, index + Self.terraform] {
            #expect(try canonical("\u{FEFF}" + source) == canonical(source))
        }
        #expect(ConfigurationForm.of(Array(("\u{FEFF}" + Self.json + "// gcloud").utf8)) == .json)
    }

    @Test func commentsInExpressionsArePassedOver() throws {
        let others = """
            locals {
              envs = [
                # 1) development, "the first
                "dev", // 2) ]
                /* } */ "prod",
              ]
              half = f(3 / 4, # )
                2)
              last = [1, 2] # [
            }

            """
        #expect(try canonical(others + Self.terraform) == canonical(Self.terraform))
        #expect(
            places(Array((others + Self.terraform).utf8)).map(\.rule) == places(Array(Self.terraform.utf8)).map(\.rule))
        #expect(places(Array("a = [ /* ]".utf8)).map(\.rule) == places(Array("a = [ ".utf8)).map(\.rule))
    }

    /// The first quotation mark behind the last brace that seemed to close ended the string.
    @Test func templatesHaveStringsOfTheirOwn() throws {
        let others = #"""
            locals {
              map = "a ${var.names["b"]} ${merge({ x = "y" }, { z = "}" })["{"]} c"
              deep = "${f("${g("}")}")}%{ if var.names["}"] != "" }d%{ endif }"
              text = "$${" /* } */
            }

            """#
        #expect(try canonical(others + Self.terraform) == canonical(Self.terraform))
        let nested = String(repeating: "\"${", count: 1_000)
        #expect(places(Array("a = \(nested)\n\(Self.terraform)".utf8)).map(\.rule) == ["syntax"])
    }

    /// gcloud splits an option at commas outside of brackets, and refuses brackets that are no pairs; behind `^;^` it splits at
    /// semicolons.
    @Test func commasInFieldPaths() throws {
        let index = IndexDefinition(
            collectionGroup: "c", scope: .collection,
            fields: [
                IndexField(FieldPath(["a,b"]), .order(.ascending)),
                IndexField(FieldPath(["{;"]), .vector(dimension: 3)),
            ], nameDirection: .ascending)
        let text = GcloudWriter.text(ConfigurationWriter.node(IndexConfiguration(indexes: [index])))
        #expect(text.contains("--field-config='^;^field-path=`a,b`;order=ascending'"), "\(text)")
        #expect(
            text.contains(#"--field-config='^|^field-path=`{;`|vector-config={"dimension":"3","flat":"{}"}'"#),
            "\(text)")
        #expect(
            ConfigurationReader.read(Array(text.utf8), appendingNameBy: .officialTool).configuration.indexes == [index])
    }

    @Test func fieldsWithSlashesAreListed() throws {
        let listing = #"""
            [{"name": "projects/p/databases/(default)/collectionGroups/c/fields/`a//b/`",
              "indexConfig": {"indexes": [{"queryScope": "COLLECTION",
                "fields": [{"fieldPath": "`a//b/`", "order": "ASCENDING"}]}]}},
             {"name": "projects/p/databases/(default)/collectionGroups/c/fields/*", "indexConfig": {"indexes": []}}]
            """#
        let (configuration, findings) = ConfigurationReader.read(Array(listing.utf8))
        #expect(!findings.contains { $0.severity == .error }, "\(findings)")
        #expect(configuration.fieldOverrides.map(\.path) == [FieldPath(["a//b/"]), nil])
    }

    @Test func otherArraysAreNoListings() {
        #expect(places(Array("[1]".utf8)).map(\.rule) == ["wrong-type"])
        #expect(places(Array(#"[{"name": "x"}]"#.utf8)).map(\.rule) == ["wrong-type"])
        #expect(places(Array("[]".utf8)).map(\.rule) == ["wrong-type"])
    }

    /// Indexes of two databases are no duplicates of each other, nor do those of one serve the other.
    @Test func aFileIsReadAsOneDatabase() throws {
        let second = """
            resource "google_firestore_index" "orders" {
              database   = "orders"
              collection = "c"
              fields { field_path = "a" }
            }

            """
        let create =
            "gcloud firestore indexes composite create --collection-group=c --field-config=field-path=a,order=ascending"
        #expect(
            places(Array((second + second.replacing("orders", with: "(default)")).utf8)).map(\.description) == [
                "7:16 syntax"
            ])
        #expect(
            places(Array((second + second.replacing(#""orders""#, with: "var.name")).utf8)).allSatisfy {
                $0.rule != "syntax"
            })
        #expect(places(Array("\(create) --database=b\n\(create)".utf8)).map(\.description) == ["2:1 syntax"])
        #expect(places(Array("\(create) --database=b\n\(create) --database=b".utf8)).allSatisfy { $0.rule != "syntax" })
    }

    /// Findings stand where the mistake is.
    @Test func findingsHavePlaces() throws {
        let wrong = Self.terraform.replacing(#""DESCENDING""#, with: #""DESC""#)
        #expect(places(Array(wrong.utf8)).map(\.description) == ["18:18 bad-enum"])
        let expression = Self.terraform.replacing(#"collection  = "posts""#, with: "collection  = var.posts")
        #expect(places(Array(expression.utf8)).map(\.description) == ["10:17 unknown-value"])
        let command = Self.commands.replacing("order=descending", with: "order=down")
        #expect(places(Array(command.utf8)).map(\.description) == ["6:3 bad-enum"])
        #expect(places(Array((Self.terraform + "\nresource {").utf8)).map(\.rule) == ["syntax"])
    }

    @Test func realFilesComeBack() throws {
        guard let folder = sharedFolder("index-configs") else { return }
        for (name, source) in try RealFiles.all(folder) {
            let (configuration, _) = ConfigurationReader.read(source, appendingNameBy: .officialTool)
            try expectRoundTrips(configuration, name)
        }
    }

    @Test func randomFilesComeBack() throws {
        let generator = IndexConfigurationGenerator(
            fieldPaths: ["a", "b c", "d.e", "é\"'", "${x}", "n\n", "z", "x,y{", ";|,[="].map { FieldPath([$0]) })
        try check(count: Rounds.of(3_000), generate: { generator.configuration(&$0) }) { (file: IndexConfiguration) in
            let (configuration, _) = ConfigurationReader.read(
                Array(ConfigurationWriter.text(file).utf8), appendingNameBy: .officialTool)
            return try roundTripFailure(configuration)
        }
    }

    /// No source may end the process or never end.
    @Test func damagedFormsNeverTrap() throws {
        var generator = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(20_000) {
            var source = Array(generator.pick([Self.terraform, Self.commands, Self.listing]).utf8)
            for _ in 0..<generator.int(1..<6) {
                let place = generator.int(0..<source.count)
                switch generator.int(0..<3) {
                case 0: source.remove(at: place)
                case 1: source[place] = generator.pick(Array("\"'\\{}[]=,\n#$-\u{0}".utf8))
                default: source.insert(generator.pick(Array("\"'\\{}[]=,\n#$".utf8)), at: place)
                }
            }
            _ = ConfigurationReader.read(source)
        }
    }

    private func expectRoundTrips(_ configuration: IndexConfiguration, _ name: String) throws {
        let failure = try roundTripFailure(configuration)
        #expect(failure == nil, "\(name): \(failure ?? "")")
    }

    /// Why a configuration written in one of the forms is not read as the same.
    private func roundTripFailure(_ configuration: IndexConfiguration) throws -> String? {
        let tree = ConfigurationWriter.node(configuration)
        for text in [TerraformWriter.text(tree), GcloudWriter.text(tree)] where !text.isEmpty {
            let (again, _) = ConfigurationReader.read(Array(text.utf8), appendingNameBy: .officialTool)
            // Terraform has no word for "no time to live".
            func comparable(_ overrides: [FieldOverride]) -> Set<FieldOverride> {
                Set(
                    overrides.map {
                        FieldOverride(
                            collectionGroup: $0.collectionGroup, path: $0.path, indexes: $0.indexes,
                            timeToLive: $0.timeToLive == true ? true : nil)
                    })
            }
            if Set(again.indexes) != Set(configuration.indexes) { return "indexes differ:\n\(text)" }
            // gcloud sets the time to live with a command of its own, which keeps the field's indexes.
            guard text.hasPrefix("resource") || !configuration.fieldOverrides.contains(where: { $0.timeToLive != nil })
            else { continue }
            if comparable(again.fieldOverrides) != comparable(configuration.fieldOverrides) {
                return "overrides differ:\n\(text)"
            }
        }
        return nil
    }
}
