import anthropic
from one_tool import DESCRIPTION, NAME, PARAMETERS

FINISHES = {"end_turn": "end", "max_tokens": "length", "tool_use": "calls", "refusal": "refused"}


def reader(target):
    client = anthropic.Anthropic(base_url=target["url"], api_key="any", max_retries=0)
    model = target["model"]

    def message(question):
        text = {"type": "text", "text": question["prompt"]}
        if question["isLong"]:
            text["cache_control"] = {"type": "ephemeral"}
        asked = {
            "model": model,
            "max_tokens": question["maxTokens"],
            "messages": [{"role": "user", "content": [text]}],
        }
        if question["offersTool"]:
            asked["tools"] = [{"name": NAME, "description": DESCRIPTION, "input_schema": PARAMETERS}]
        if question["thinks"]:
            asked["thinking"] = {"type": "enabled", "budget_tokens": 1024}
        if question["isStreamed"]:
            with client.messages.stream(**asked) as stream:
                reply = stream.get_final_message()
        else:
            reply = client.messages.create(**asked)
        usage = reply.usage
        cached = usage.cache_read_input_tokens or 0
        return {
            "text": "".join(block.text for block in reply.content if block.type == "text"),
            "thinking": "".join(block.thinking for block in reply.content if block.type == "thinking"),
            "calls": [{"name": block.name, "arguments": block.input} for block in reply.content if block.type == "tool_use"],
            "finish": FINISHES.get(reply.stop_reason, str(reply.stop_reason)),
            "input": usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0),
            "output": usage.output_tokens,
            "cached": cached,
        }

    def count(question):
        messages = [{"role": "user", "content": question["prompt"]}]
        return {"tokens": client.messages.count_tokens(model=model, messages=messages).input_tokens}

    kinds = {
        "reply": message,
        "models": lambda _: {"ids": [each.id for each in client.models.list()]},
        "model": lambda _: {"ids": [client.models.retrieve(model).id]},
        "count": count,
    }
    return lambda question: kinds[question["kind"]](question)
