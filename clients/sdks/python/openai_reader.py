import json

import openai
from one_tool import DESCRIPTION, NAME, PARAMETERS

FINISHES = {"stop": "end", "length": "length", "tool_calls": "calls", "content_filter": "refused"}
CUTS = {"max_output_tokens": "length", "content_filter": "refused"}
TOOL = {"name": NAME, "description": DESCRIPTION, "parameters": PARAMETERS}


def reader(target):
    client = openai.OpenAI(base_url=f"{target['url']}/v1", api_key="any", max_retries=0)
    model = target["model"]

    def chat(question):
        asked = {
            "model": model,
            "messages": [{"role": "user", "content": question["prompt"]}],
            "max_tokens": question["maxTokens"],
        }
        if question["offersTool"]:
            asked["tools"] = [{"type": "function", "function": TOOL}]
        if question["isStreamed"]:
            # Chunk by chunk, as most programs read a stream.
            return folded(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
        completion = client.chat.completions.create(**asked)
        choice = completion.choices[0]
        calls = choice.message.tool_calls or []
        return {
            "text": choice.message.content or "",
            "calls": [called(call.function.name, call.function.arguments) for call in calls],
            "finish": FINISHES.get(choice.finish_reason, choice.finish_reason),
            **counted(completion.usage),
        }

    def responses(question):
        asked = {"model": model, "input": question["prompt"], "max_output_tokens": question["maxTokens"]}
        if question["offersTool"]:
            asked["tools"] = [{"type": "function", **TOOL, "strict": False}]
        if question["isStreamed"]:
            with client.responses.stream(**asked) as stream:
                response = stream.get_final_response()
        else:
            response = client.responses.create(**asked)
        calls = [item for item in response.output if item.type == "function_call"]
        thoughts = [part.text for item in response.output if item.type == "reasoning" for part in item.summary]
        cut = response.incomplete_details
        return {
            "text": response.output_text,
            "thinking": "".join(thoughts),
            "calls": [called(call.name, call.arguments) for call in calls],
            "finish": CUTS[cut.reason] if cut else "calls" if calls else "end",
            "input": response.usage.input_tokens,
            "output": response.usage.output_tokens,
            "cached": response.usage.input_tokens_details.cached_tokens,
        }

    def count(question):
        counted_tokens = client.responses.input_tokens.count(model=model, input=question["prompt"])
        return {"tokens": counted_tokens.input_tokens}

    kinds = {
        "reply": chat if target["api"] == "chat" else responses,
        "models": lambda _: {"ids": [each.id for each in client.models.list()]},
        "model": lambda _: {"ids": [client.models.retrieve(model).id]},
        "count": count,
    }
    return lambda question: kinds[question["kind"]](question)


def called(name, arguments):
    return {"name": name, "arguments": json.loads(arguments)}


def counted(usage):
    details = usage.prompt_tokens_details
    cached = (details.cached_tokens if details else None) or 0
    return {"input": usage.prompt_tokens, "output": usage.completion_tokens, "cached": cached}


def folded(stream):
    text, calls, finish, usage = "", {}, None, None
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
            for call in choice.delta.tool_calls or []:
                name, arguments = calls.get(call.index, ("", ""))
                function = call.function
                calls[call.index] = (name + (function.name or ""), arguments + (function.arguments or ""))
    return {
        "text": text,
        "calls": [called(*calls[index]) for index in sorted(calls)],
        "finish": FINISHES.get(finish, str(finish)),
        **counted(usage),
    }
