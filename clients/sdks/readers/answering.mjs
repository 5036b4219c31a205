// Answers the questions of `sdks/ask.ts` by the SDKs that are installed here. A reader makes, of a target, a function of a question that gives what
// the SDK made of the reply: `{ text, thinking, calls, finish, input, output, cached }`, each absent where the SDK does not tell it.

import { readFileSync } from 'node:fs'

const { reader: file, asked } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { reader } = await import(`./${file}.mjs`)
const atOnce = 8

async function answerAll({ target, questions }) {
  const read = await reader(target)
  const waiting = [...questions]
  const work = async () => {
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      // The second time, what the first has left in the cache is read.
      if (question.isLong) await read(question).catch(() => undefined)
      const answer = await read(question).catch(errorOf)
      process.stdout.write(`${JSON.stringify({ id: question.id, answer })}\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

function errorOf(error) {
  const { name = 'unknown', status, statusCode, code, cause } = error ?? {}
  const told = [status, statusCode, code, cause?.status].find((each) => typeof each === 'number')
  return { error: { name, message: textOf(error), ...(told !== undefined && { status: told }) } }
}

function textOf(error) {
  const { message, error: inner, cause, responseBody } = error ?? {}
  const said = [message, inner?.message, inner?.error?.message, cause?.message, responseBody]
  const text = said.filter((part) => typeof part === 'string' && part !== '').join(' | ')
  return text === '' ? JSON.stringify(error) : text
}

for (const each of asked) await answerAll(each)
process.exit(0)
