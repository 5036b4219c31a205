"""Asks for models of Pydantic by all that Anthropic's SDK has for it; ends with an error where one does not come back."""

import sys

import anthropic
from pydantic_models import Detailed, Ticket

client = anthropic.Anthropic(base_url=sys.argv[1], api_key="any", max_retries=0)
ASKED = {"model": "claude-sonnet-4-5", "max_tokens": 2000, "messages": [{"role": "user", "content": "Fill it in."}]}
TOOL = {"name": "ticket", "input_schema": Detailed.model_json_schema()}


def is_model(found, model):
    assert isinstance(found, model), f"{found!r} is no {model.__name__}"


is_model(client.messages.parse(**ASKED, output_format=Ticket).parsed_output, Ticket)
forced = client.messages.create(**ASKED, tools=[TOOL], tool_choice={"type": "tool", "name": "ticket"})
is_model(Detailed.model_validate(forced.content[0].input), Detailed)
