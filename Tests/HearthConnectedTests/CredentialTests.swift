// SPDX-License-Identifier: Apache-2.0

#if Connected
    import HearthConnected
    import Testing
#endif
