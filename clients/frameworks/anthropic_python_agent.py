import asyncio

from anthropic import AsyncAnthropic
from file_tools import MOST_TURNS, PROMPT, TOOLS, answer, schema_of

tools = [
    {"name": name, "description": about, "input_schema": schema_of(parameters)}
    for name, (about, parameters, _) in TOOLS.items()
]


async def work():
    client = AsyncAnthropic()
    messages = [{"role": "user", "content": PROMPT}]
    for _ in range(MOST_TURNS):
        asked = {"model": "claude-sonnet-4-5", "max_tokens": 8000, "messages": messages, "tools": tools}
        async with client.messages.stream(**asked) as stream:
            content = (await stream.get_final_message()).content
        messages.append({"role": "assistant", "content": content})
        for block in content:
            if block.type == "text":
                print(block.text)
        calls = [block for block in content if block.type == "tool_use"]
        if not calls:
            return
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": answer(call.name, call.input)} for call in calls
        ]
        messages.append({"role": "user", "content": results})


asyncio.run(work())
