// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// How programs for FirebaseFirestore inspect errors, in their own code.
@Suite struct ErrorTests {
    private let db: Firestore

    init() throws {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        db = try Database.open(path: "errors", settings: settings)
    }

    private func failure() async -> Error {
        do {
            try await db.document("cities/missing").updateData(["n": 1])
            return CocoaError(.featureUnsupported)
        } catch {
            return error
        }
    }

    private func name(of error: Error) -> String {
        do {
            throw error
        } catch let e as FirestoreErrorCode where e.code == .notFound {
            return "not found: \(e.localizedDescription)"
        } catch let error as FirestoreErrorCode {
            switch error.code {
            case .aborted: return "aborted"
            case .cancelled, .deadlineExceeded: return "gave up"
            default: return "other: \(error.errorCode)"
            }
        } catch {
            return "foreign"
        }
    }

    @Test func thrownErrors() async {
        let error = await failure()
        let text = "No document to update: projects/hearth/databases/(default)/documents/cities/missing"
        #expect(name(of: error) == "not found: \(text)")
        #expect((error as? FirestoreErrorCode)?.code == .notFound)
        #expect((error as NSError as? FirestoreErrorCode)?.code == .notFound)
        #expect(error is FirestoreErrorCode && error is FirestoreError)
        #expect(FirestoreErrorCode(_nsError: error as NSError).code == .notFound)
        if let code = FirestoreErrorCode.Code(rawValue: (error as NSError).code) {
            #expect(code == .notFound)
        }
        switch (error as NSError).code {
        case FirestoreErrorCode.notFound.rawValue: break
        default: Issue.record("not found by its number")
        }
        switch error {
        case FirestoreErrorCode.notFound: break
        default: Issue.record("not found by its kind")
        }
        switch (error as? FirestoreErrorCode)?.code {
        case .notFound?: break
        case .permissionDenied, .unavailable, .none, .some: Issue.record("not found by its code")
        }
        let result: Result<Int, Error> = .failure(error)
        if case .failure(let error as FirestoreErrorCode) = result {
            #expect(error.code == .notFound && error.userInfo[NSLocalizedDescriptionKey] as? String == text)
        } else {
            Issue.record("not found in a result")
        }
        await #expect(throws: FirestoreErrorCode.self) {
            try await db.document("cities/missing").updateData(["n": 1])
        }
    }

    @Test func errorsInCallbacks() async {
        let kind = await withCheckedContinuation { continuation in
            db.document("cities/missing").updateData(["n": 1]) { error in
                if let error = error as? FirestoreErrorCode, error.code == .notFound {
                    continuation.resume(returning: "not found")
                } else if let error = error as NSError? {
                    continuation.resume(returning: "\(error.code)")
                } else {
                    continuation.resume(returning: "no error")
                }
            }
        }
        #expect(kind == "not found")
    }

    @Test func madeErrors() {
        let aborted: Error = FirestoreErrorCode(.aborted)
        #expect(name(of: aborted) == "aborted" && name(of: FirestoreErrorCode(.dataLoss)) == "other: 15")
        #expect((aborted as NSError).domain == FirestoreErrorDomain && (aborted as NSError).code == 10)
        #expect(FirestoreErrorCode.errorDomain == FirestoreErrorDomain)
        #expect(
            name(of: NSError(domain: FirestoreErrorDomain, code: FirestoreErrorCode.cancelled.rawValue)) == "gave up")
        do {
            throw FirestoreErrorCode(.unavailable, userInfo: [NSLocalizedDescriptionKey: "later"])
        } catch let error as NSError {
            #expect(error.code == FirestoreErrorCode.unavailable.rawValue && error.localizedDescription == "later")
        }
        do {
            throw FirestoreErrorCode(.unavailable)
        } catch FirestoreErrorCode.unavailable {
        } catch {
            Issue.record("not caught by its kind")
        }
        #expect(Set([FirestoreErrorCode(.aborted), FirestoreErrorCode(.aborted), FirestoreErrorCode(.ok)]).count == 2)
    }

    @Test func foreignErrors() {
        struct Own: Error {}
        for error in [Own(), CocoaError(.fileNoSuchFile), NSError(domain: "other", code: 5)] as [Error] {
            #expect(name(of: error) == "foreign" && (error as? FirestoreErrorCode) == nil)
        }
    }

    /// An error that a transaction's block throws or sets is thrown unchanged.
    @Test func errorsOfTransactions() async {
        do {
            _ = try await db.runTransaction { (_, errorPointer) -> Any? in
                errorPointer?.pointee = FirestoreErrorCode(.permissionDenied) as NSError
                return nil
            }
            Issue.record("the error did not arrive")
        } catch let error as FirestoreErrorCode {
            #expect(error.code == .permissionDenied)
        } catch {
            Issue.record("\(error)")
        }
        do {
            try await db.runTransaction { _ in throw FirestoreErrorCode(.outOfRange) }
            Issue.record("the error did not arrive")
        } catch let error as NSError {
            #expect(error.domain == FirestoreErrorDomain && error.code == FirestoreErrorCode.outOfRange.rawValue)
        }
    }
}
