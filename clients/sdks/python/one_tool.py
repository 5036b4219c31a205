"""The one tool that a question may offer."""

NAME = "read_file"
DESCRIPTION = "Reads a file."
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
