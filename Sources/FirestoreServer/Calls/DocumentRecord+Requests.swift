// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    // What requests read of a record, with the errors of requests.
    extension DocumentRecord {
        func whole() throws(RequestError) -> Document {
            do throws(StoredFormatError) { return try document() } catch { throw RequestError(EngineError(error)) }
        }

        /// The document, cut to a mask.
        func document(_ mask: [FieldPath]?) throws(RequestError) -> Document { try whole().cut(to: mask) }

        /// The path, without decoding the fields.
        func name() throws(RequestError) -> DocumentPath {
            do throws(StoredFormatError) { return try path() } catch { throw RequestError(EngineError(error)) }
        }

        func changeTime() throws(RequestError) -> Timestamp {
            do throws(StoredFormatError) { return try updateTime() } catch { throw RequestError(EngineError(error)) }
        }
    }

    extension Document {
        func cut(to mask: [FieldPath]?) -> Document {
            guard let mask else { return self }
            var document = self
            document.fields = fields.selecting(mask)
            return document
        }
    }
#endif
