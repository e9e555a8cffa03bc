// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming

    enum RequestLimits {
        /// Production's limit of a request.
        static let size = 11_534_336

        /// The same with several messages in one request, in which most bytes of JSON are percent-encoded.
        static let formSize = 4 * size

        static let tooLarge = RequestError(
            .invalidArgument, "Request payload size exceeds the limit: \(size) bytes.")
    }

    extension GRPCMessageReader {
        /// Of what a client sends.
        static let ofRequest = GRPCMessageReader(limit: RequestLimits.size, RequestLimits.tooLarge)
    }
#endif
