// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOHTTP1

    /// Finds what answers a request.
    struct RequestRouter: Sendable {
        let grpc: GRPCMethods
        let rest: RESTMethods
        let web: WebChannelMethods
        let emulator: EmulatorMethods
        let console: ConsoleMethods
        let pages: AllowedPages
        let limits: ConnectionLimits
        let memory: RequestMemory
        let observer: RequestObserver

        func answer(_ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            try pages.check(request)
            if request.method == .OPTIONS { return responder.send(.ok, "text/plain", []) }
            switch request.segments.first {
            case nil where request.method == .GET || request.method == .HEAD:
                responder.send(.ok, HTTPResponder.plainText, Array("Ok\n".utf8))
            case "v1": try await rest.answer(request, responder)
            case "google.firestore.v1.Firestore":
                guard let method = WebChannelMethods.method(request.segments) else {
                    return responder.refuse()
                }
                try await web.answer(method, request, responder)
            case "console": console.answer(request, responder)
            case "emulator": try await emulator.answer(request, responder)
            default: responder.refuse()
            }
        }
    }
#endif
