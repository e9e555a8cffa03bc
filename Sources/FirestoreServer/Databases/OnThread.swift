// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Dispatch
    internal import DocumentEngine
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreProtocol

    /// Runs what may take long on a thread that no other request waits for.
    func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws(RequestError) -> R {
        let result: Result<R, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Result { try body() }) }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error as RequestError): throw error
        case .failure(let error as EngineError): throw RequestError(error)
        case .failure(let error as ExportError):
            throw RequestError(error.isDiskFull ? .resourceExhausted : .invalidArgument, error.message)
        case .failure(let error): throw RequestError(.unknown, "\(error)")
        }
    }
#endif
