// SPDX-License-Identifier: Apache-2.0

extension Database {
    /// FirebaseFirestore's way to its emulator. Accepted and without effect: there is no server, and nothing to emulate.
    public func useEmulator(withHost host: String, port: Int) {}
}
