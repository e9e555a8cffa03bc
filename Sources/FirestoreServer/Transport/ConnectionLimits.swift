// SPDX-License-Identifier: Apache-2.0

#if Server
    /// How much of the server clients may take.
    package struct ConnectionLimits: Sendable {
        /// More connections are closed at once.
        package var connections = 2_000
        /// How long a client may take for its first bytes.
        package var firstBytes = Duration.seconds(30)
        /// How long a client may take to send a request, and how long a connection of HTTP/1.1 may wait for the next.
        package var request = Duration.seconds(60)

        package init() {}
    }
#endif
