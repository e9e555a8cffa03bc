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
        /// Bytes that all requests in progress may have together before large ones are refused.
        package var requestBytes = 512 << 20
        /// Sessions of web pages' channels, of which each page has up to two for each Firestore.
        package var webSessions = 2_000
        /// Bytes that may wait in all of these sessions together before each gets little.
        package var webBytes = 256 << 20

        package init() {}
    }
#endif
