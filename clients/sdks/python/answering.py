"""Answers the questions of `sdks/ask.ts` by the SDKs that are installed here, as `readers/answering.mjs` does on Node."""

import importlib
import json
import sys
from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 8


def error_of(error):
    texts = [str(error), json.dumps(getattr(error, "body", None), default=str)]
    found = {"name": type(error).__name__, "message": " | ".join(texts)}
    status = getattr(error, "status_code", None)
    return {"error": {**found, "status": status} if isinstance(status, int) else found}


def answered(read, question):
    try:
        # The second time, the cache has what the first request left there.
        if question["isLong"]:
            read(question)
        return read(question)
    except Exception as error:  # noqa: BLE001 (an error is an answer, too)
        return error_of(error)


def main(task_file):
    with open(task_file, encoding="utf-8") as file:
        task = json.load(file)
    reader = importlib.import_module(f"{task['reader']}_reader").reader
    for asked in task["asked"]:
        read = reader(asked["target"])
        questions = asked["questions"]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = pool.map(lambda question: answered(read, question), questions)
            for question, answer in zip(questions, answers):
                print(json.dumps({"id": question["id"], "answer": answer}), flush=True)


main(sys.argv[1])
