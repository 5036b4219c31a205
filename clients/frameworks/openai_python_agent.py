import asyncio
import json

from file_tools import MOST_TURNS, PROMPT, TOOLS, answer, schema_of
from openai import AsyncOpenAI

tools = [
    {
        "type": "function",
        "function": {"name": name, "description": about, "parameters": schema_of(parameters), "strict": True},
    }
    for name, (about, parameters, _) in TOOLS.items()
]


async def work():
    client = AsyncOpenAI()
    messages = [{"role": "user", "content": PROMPT}]
    for _ in range(MOST_TURNS):
        asked = {"model": "gpt-4o", "messages": messages, "tools": tools, "stream_options": {"include_usage": True}}
        async with client.chat.completions.stream(**asked) as stream:
            message = (await stream.get_final_completion()).choices[0].message
        if message.content:
            print(message.content)
        calls = message.tool_calls or []
        messages.append(
            {
                "role": "assistant",
                "content": message.content,
                **({"tool_calls": [plain(call) for call in calls]} if calls else {}),
            }
        )
        if not calls:
            return
        for call in calls:
            content = answer(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def plain(call):
    function = {"name": call.function.name, "arguments": call.function.arguments}
    return {"id": call.id, "type": "function", "function": function}


asyncio.run(work())
