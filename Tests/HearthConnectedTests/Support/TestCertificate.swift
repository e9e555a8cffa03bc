// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Crypto
    import Foundation
    import NIOSSL

    /// A certificate of 127.0.0.1 and localhost, signed with its own key.
    struct TestCertificate {
        let certificate: NIOSSLCertificate
        private let key: P256.Signing.PrivateKey

        /// - Parameter end: when it ends, as `YYMMDDhhmmssZ`.
        init(end: String = "491231235959Z") throws {
            key = P256.Signing.PrivateKey()
            let algorithm = DER.sequence(DER.ecdsaWithSHA256)
            let name = DER.sequence(DER.set(DER.sequence(DER.commonName, DER.element(0x0C, Array("test".utf8)))))
            let names = DER.sequence(
                DER.element(0x82, Array("localhost".utf8)), DER.element(0x87, [127, 0, 0, 1]))
            let extensions = DER.sequence(
                DER.sequence(DER.subjectAlternativeName, DER.element(0x04, names)),
                DER.sequence(
                    DER.basicConstraints, DER.element(0x01, [0xFF]),
                    DER.element(0x04, DER.sequence(DER.element(0x01, [0xFF])))))
            let body = DER.sequence(
                DER.element(0xA0, DER.element(0x02, [2])), DER.element(0x02, [7]), algorithm, name,
                DER.sequence(DER.element(0x17, Array("200101000000Z".utf8)), DER.element(0x17, Array(end.utf8))), name,
                Array(key.publicKey.derRepresentation), DER.element(0xA3, extensions))
            let signature = try key.signature(for: Data(body)).derRepresentation
            let bytes = DER.sequence(body, algorithm, DER.element(0x03, [0] + signature))
            certificate = try NIOSSLCertificate(bytes: bytes, format: .der)
        }

        /// What a server needs.
        func serverContext() throws -> NIOSSLContext {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(certificate)],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
            configuration.applicationProtocols = ["h2"]
            return try NIOSSLContext(configuration: configuration)
        }
    }

    /// The few parts of DER that a certificate needs.
    private enum DER {
        static let ecdsaWithSHA256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        static let commonName: [UInt8] = [0x06, 0x03, 0x55, 0x04, 0x03]
        static let subjectAlternativeName: [UInt8] = [0x06, 0x03, 0x55, 0x1D, 0x11]
        static let basicConstraints: [UInt8] = [0x06, 0x03, 0x55, 0x1D, 0x13]

        static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let count = contents.count
            let length: [UInt8] =
                count < 128
                ? [UInt8(count)]
                : count < 256 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            return [tag] + length + contents
        }

        static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }
        static func set(_ elements: [UInt8]...) -> [UInt8] { element(0x31, elements.flatMap(\.self)) }
    }
#endif
