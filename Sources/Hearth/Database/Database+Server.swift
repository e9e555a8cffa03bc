// SPDX-License-Identifier: Apache-2.0

extension Database {
    /// Has no effect, because there is no server. In FirebaseFirestore, it connects to the emulator.
    public func useEmulator(withHost host: String, port: Int) {}
}
