// SPDX-License-Identifier: Apache-2.0

import Hearth

struct TaskItem: Codable, Identifiable, Sendable {
    @DocumentID var id: String?
    var title: String
    var isCompleted = false
    var userId: String?
    var createdTime = Timestamp()
}
