// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    package import QueryPlanner

    /// Why a request was refused or failed: the status and the message that the client receives.
    package struct RequestError: Error, Sendable, Hashable {
        package let status: StatusCode
        package let message: String
        /// The serialised `google.rpc.Status` of a refusal for which production sends details.
        package var details: [UInt8]?

        package init(_ status: StatusCode, _ message: String) {
            self.status = status
            self.message = message
        }

        package static func invalid(_ message: String) -> RequestError { RequestError(.invalidArgument, message) }
    }

    extension RequestError {
        package init(_ error: DocumentFormError) { self.init(.invalidArgument, error.message) }
        package init(_ error: FieldPathError) { self.init(.invalidArgument, error.message) }
        package init(_ error: InvalidQueryError) { self.init(.invalidArgument, error.message) }
    }

    extension RequestError: CustomStringConvertible {
        package var description: String { "\(status.name): \(message)" }
    }
#endif
