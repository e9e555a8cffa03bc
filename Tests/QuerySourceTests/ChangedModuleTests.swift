// SPDX-License-Identifier: Apache-2.0

import QuerySource
import Testing

/// Assignments to what other files define.
@Suite struct ChangedModuleTests {
    private static let changeable = [
        "settings.py": "USERS = 'users'\nrooms = 'r'\nNAMES = {'x': 'u', 'y': 'v'}\n",
        "app/__init__.py": "", "app/names.py": "USERS = 'users'\n",
        "names.js":
            "const USERS = 'users';\nexports.USERS = USERS;\nmodule.exports = { users: 'u', NAMES: { x: 'x', y: 'y' } };",
        "changed.js": "module.exports = { users: 'u', rooms: 'r', NAMES: { x: 'x' } };\nmodule.exports.users = 'v';\n"
            + "exports.NAMES['x'] = 'y';",
    ]

    /// What any file assigns to a member of a module, the member may be.
    @Test(arguments: [
        ("main.py", "import settings\nsettings.USERS = 'test_users'", "settings.USERS", ""),
        ("main.py", "import settings as s\ns.NAMES['x'] = 'w'", "s.NAMES['x']", ""),
        ("main.py", "import settings as s\ns.NAMES['x'] = 'w'", "s.NAMES['y']", ""),
        ("main.py", "import settings\nsettings.USERS = 'test_users'", "settings.rooms", "r"),
        ("main.py", "import os\nimport settings\nos.environ['USERS'] = 'w'", "settings.USERS", "users"),
        ("main.js", "const names = require('./names');\nnames.users = x;", "names.users", ""),
        ("main.js", "const names = require('./names');\nnames.NAMES['x'] = 'w';", "names.NAMES['x']", ""),
        ("main.js", "const names = require('./names');\nnames.NAMES['x'] = 'w';", "names.NAMES.y", ""),
        ("main.js", "import { NAMES as N } from './names';\nN.x = 'w';", "N.x", ""),
        ("main.js", "const names = require('./names');", "names.USERS", "users"),
        ("main.js", "const names = require('./changed');", "names.users", ""),
        ("main.js", "const names = require('./changed');", "names.NAMES.x", ""),
        ("main.js", "const names = require('./changed');", "names.rooms", "r"),
    ]) func membersOfModulesThatAreAssigned(_ path: String, _ head: String, _ name: String, _ collection: String) {
        let found = collections(
            "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()\n", path, Self.changeable)
        expect(found, ofCollection: collection, head)
    }

    /// A third file sees what one assigns to another.
    @Test(arguments: [
        ("test.py", "import settings\nsettings.USERS = 't'\n", "main.py", "import settings", "settings.USERS"),
        ("test.py", "from app import names\nnames.USERS = 't'\n", "main.py", "from app.names import USERS", "USERS"),
        ("test.py", "import app.names\napp.names.USERS = 't'\n", "main.py", "from app.names import USERS", "USERS"),
        (
            "test.js", "const n = require('./names');\nn.users = x;", "main.js", "import { users } from './names'",
            "users"
        ),
        (
            "test.js", "import { NAMES as N } from './names';\nN.x = x;", "main.js", "import { NAMES } from './names'",
            "NAMES.x"
        ),
    ]) func modulesThatAnotherFileChanges(
        _ other: String, _ change: String, _ path: String, _ head: String, _ name: String
    ) {
        let source = "\(head)\ndb.collection(\(name)).where('a', '==', 1).get()\n"
        #expect(!collections(source, path, Self.changeable)[0].hasPrefix("unresolved"), "\(head)")
        let found = collections(source, path, Self.changeable.merging([other: change]) { $1 })
        #expect(found.count == 1 && found[0].hasPrefix("unresolved"), "\(head) \(found)")
    }
}
