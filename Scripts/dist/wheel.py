#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes OUT/hearth_firestore-VERSION-py3-none-manylinux_2_36_ARCH.whl of a built folder: wheel.py FOLDER OUT VERSION.

A wheel is a zip file whose layout packaging.python.org specifies; programs in its .data/scripts folder are installed into
the environment's bin folder. Equal folders give equal bytes.
"""
import base64
import hashlib
import pathlib
import platform
import sys
import zipfile

folder, out, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
tag = f"py3-none-manylinux_2_36_{platform.machine()}"
name = f"hearth_firestore-{version}"
module = '''"""Runs the program of the wheel: python -m hearth_firestore ARGUMENTS."""
import os
import shutil
import sys
import sysconfig


def find():
    """The program where `pip install --target`, pip and `pip install --user` put it, else the one on the PATH."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user")]
    # Another version may be in the other place.
    if home == sysconfig.get_path("purelib", "posix_user"):
        places.reverse()
    programs = [os.path.join(place, "hearth") for place in [os.path.join(home, "bin")] + places]
    return next(filter(os.path.isfile, programs), None) or shutil.which("hearth")


if __name__ == "__main__":
    program = find()
    if program is None:
        sys.exit("hearth_firestore: the program hearth is not where pip puts programs, and not on the PATH")
    os.execv(program, [program, *sys.argv[1:]])
'''
metadata = f"""Metadata-Version: 2.1
Name: hearth-firestore
Version: {version}
Summary: Lints Cloud Firestore's index files and says which queries they serve; a document database with its data model
License: Apache-2.0
Requires-Python: >=3.7
Description-Content-Type: text/markdown

`hearth validate firestore.indexes.json` lints an index file; `hearth --help` lists what else there is.
"""
files = [
    ("hearth_firestore/__init__.py", b"", 0o644),
    ("hearth_firestore/__main__.py", module.encode(), 0o644),
    (f"{name}.data/scripts/hearth", (folder / "hearth").read_bytes(), 0o755),
    (f"{name}.dist-info/licenses/LICENSE", (folder / "LICENSE").read_bytes(), 0o644),
    (f"{name}.dist-info/licenses/NOTICES", (folder / "NOTICES").read_bytes(), 0o644),
    (f"{name}.dist-info/METADATA", metadata.encode(), 0o644),
    (
        f"{name}.dist-info/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: hearth\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        0o644,
    ),
]
for section in ("bash-completion/completions/hearth", "man/man1/hearth.1"):
    files.append((f"{name}.data/data/share/{section}", (folder / "share" / section).read_bytes(), 0o644))
shim = "share/hearth/firebase/java"
files.append((f"{name}.data/data/{shim}", (folder / shim).read_bytes(), 0o755))


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data, _ in files)
record_path = f"{name}.dist-info/RECORD"
files.append((record_path, f"{record}{record_path},,\n".encode(), 0o644))
wheel = out / f"{name}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path, data, mode in files:
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
print(wheel)
