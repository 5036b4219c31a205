"""The tools of a small agent, as in `file-tools.mjs`: files of one folder, and no shell."""

import os
import sys

PROMPT, FOLDER = sys.argv[1], sys.argv[2]
# More turns than the job has.
MOST_TURNS = 60


def within(path):
    file = os.path.realpath(os.path.join(FOLDER, path))
    if os.path.commonpath([file, os.path.realpath(FOLDER)]) != os.path.realpath(FOLDER):
        raise ValueError(f"{path} is not in the project")
    return file


def files_below(path):
    found = []
    for folder, _, names in os.walk(within(path)):
        found += [os.path.relpath(os.path.join(folder, name), os.path.realpath(FOLDER)) for name in names]
    return sorted(file for file in found if not file.startswith(".git/"))


def read(path):
    with open(within(path), encoding="utf-8", newline="") as file:
        return file.read()


def write(path, content):
    with open(within(path), "w", encoding="utf-8", newline="") as file:
        file.write(content)


def list_files(path):
    return "\n".join(files_below(path))


def search_files(pattern):
    found = []
    for file in files_below("."):
        lines = enumerate(read(file).split("\n"), start=1)
        found += [f"{file}:{number}:{line}" for number, line in lines if pattern in line]
    return "\n".join(found)


def write_file(path, content):
    write(path, content)
    return f"wrote {path}"


def edit_file(path, old_text, new_text):
    text = read(path)
    if old_text not in text:
        raise ValueError(f"{path} does not contain that text")
    write(path, text.replace(old_text, new_text, 1))
    return f"changed {path}"


# Every tool: what it is for, the names of its parameters, all of them texts, and what it does.
TOOLS = {
    "list_files": ("Lists the files of a folder and of those in it.", ["path"], list_files),
    "read_file": ("Reads a file.", ["path"], read),
    "search_files": ("Finds the lines that contain a text, in all files.", ["pattern"], search_files),
    "write_file": ("Writes a file.", ["path", "content"], write_file),
    "edit_file": ("Replaces a text in a file by another.", ["path", "old_text", "new_text"], edit_file),
}


def schema_of(parameters):
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in parameters},
        "required": parameters,
        "additionalProperties": False,
    }


def answer(name, arguments):
    """What a tool answers; what goes wrong is an answer, too."""
    try:
        return TOOLS[name][2](**arguments)
    except (OSError, TypeError, ValueError, KeyError) as error:
        return f"Error: {error}"
