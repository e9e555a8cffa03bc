// SPDX-License-Identifier: Apache-2.0

#if Connected
    /// Who asks Cloud Firestore.
    public enum FirestoreCredentials: Sendable {
        /// The emulator's administrator.
        case owner
    }
#endif
