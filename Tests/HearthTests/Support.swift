// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import Hearth
import LMDB
import TestSupport
import Testing

/// A database file that is verified and deleted at the end of the test.
final class Sample: Sendable {
    let database: Database
    let path: String
    private let directory: TemporaryDirectory

    init(projectID: String = "hearth") throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.db")
        database = try Database.open(path: path, settings: Sample.settings, projectID: projectID)
    }

    /// Tests need no syncs.
    static var settings: FirestoreSettings {
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        return settings
    }

    deinit {
        do {
            var options = Engine.Options()
            options.durability = .mayLoseDatabase
            let report = try Engine.open(path, options).verify()
            precondition(report.problemCount == 0, "the database does not verify: \(report.problems)")
        } catch {
            preconditionFailure("the database cannot be verified: \(error)")
        }
    }
}

/// The text of the error that `body` throws; nil if it throws none, or another kind.
func text(_ status: FirestoreErrorCode.Code, _ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        let error = error as NSError
        #expect(error.domain == "FIRFirestoreErrorDomain")
        #expect(error.code == status.rawValue, "\(error)")
        return error.localizedDescription
    }
}
