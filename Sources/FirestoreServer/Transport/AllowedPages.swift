// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOHTTP1

    /// From which web pages requests may come, and by which names.
    struct AllowedPages: Sendable {
        let origins: AllowedOrigins
        let hosts: AllowedHosts

        /// - Throws: `permissionDenied` if a request with these headers may not be answered.
        func check(_ headers: HTTPHeaders) throws(RequestError) {
            guard hosts.allows(headers) else {
                throw RequestError(
                    .permissionDenied,
                    "\(headers.first(name: "host") ?? "") is no name of this machine; call it localhost, or allow the "
                        + "name with hearth serve --allow-origin.")
            }
            guard origins.allows(headers) else {
                throw RequestError(
                    .permissionDenied,
                    "Pages of \(headers.first(name: "origin") ?? "") may not send requests; hearth serve "
                        + "--allow-origin allows them.")
            }
        }
    }
#endif
