"""Asks for models of Pydantic by all that OpenAI's SDK has for it; ends with an error where one does not come back."""

import json
import sys

import openai
from pydantic_models import Detailed, Ticket

client = openai.OpenAI(base_url=f"{sys.argv[1]}/v1", api_key="any", max_retries=0)
ASKED = {"model": "gpt-5.1", "messages": [{"role": "user", "content": "Fill in the JSON."}]}
PARAMETERS = Detailed.model_json_schema()
TOOL = {"type": "function", "function": {"name": "ticket", "parameters": PARAMETERS}}


def is_model(found, model):
    assert isinstance(found, model), f"{found!r} is no {model.__name__}"


parsed = client.chat.completions.parse(**ASKED, response_format=Ticket)
is_model(parsed.choices[0].message.parsed, Ticket)
with client.chat.completions.stream(**ASKED, response_format=Ticket) as stream:
    is_model(stream.get_final_completion().choices[0].message.parsed, Ticket)
response = client.responses.parse(model="gpt-5.1", input="Fill in the JSON.", text_format=Ticket)
is_model(response.output_parsed, Ticket)
strict = client.chat.completions.parse(**ASKED, tools=[openai.pydantic_function_tool(Ticket)], tool_choice="required")
is_model(strict.choices[0].message.tool_calls[0].function.parsed_arguments, Ticket)
forced = client.chat.completions.create(**ASKED, tools=[TOOL], tool_choice="required")
is_model(Detailed.model_validate_json(forced.choices[0].message.tool_calls[0].function.arguments), Detailed)
plain = client.chat.completions.create(**ASKED, response_format={"type": "json_object"})
is_model(json.loads(plain.choices[0].message.content), dict)
