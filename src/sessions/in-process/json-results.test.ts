import { expect, it } from 'vitest'
import { isJsonObject } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { bodyOf, exchangeOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'
import type { PackedRequest } from './packed-request.ts'

/*
 * Sessions of an agent such as Cline: every result is JSON on one line, in whose strings the lines of files and of what tests print
 * stand.
 */

const resultOf = (query: string, result: string): string => JSON.stringify([{ query, result, success: true }])
const tests = (passed: number): string =>
  Array.from(
    { length: 60 },
    (_, at) => `${at < passed ? 'ok  ' : 'FAIL'} prices.test.mjs: "case ${at}" costs ${at * 37}`,
  )
    .concat(`${passed} passed, ${60 - passed} failed`, '')
    .join('\n')
const file = (limit: string): string =>
  Array.from({ length: 80 }, (_, at) => `  if (grams ${at === 40 ? limit : '<='} ${at * 250}) return "\\u00${at}"`)
    .map((line, at) => `${at + 1} | ${line}`)
    .join('\n')
/** Reads a file and runs the tests, mends something in both, reads and runs again, five times. */
const results = [0, 1, 2, 3, 4].flatMap((round) => [
  resultOf('/repo/src/prices.mjs', `${file(`<${round}`)}\n81 | // round ${round}`),
  resultOf('node test/run.mjs', tests(30 + 2 * round)),
])

const usage = { input_tokens: 1, output_tokens: 1 }
const replies = (...content: readonly object[]) => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: content.some((each) => 'name' in each) ? 'tool_use' : 'end_turn',
  usage,
})
const calls = (name: string, input: object) => replies({ type: 'tool_use', id: 'toolu_x', name, input })

function bodyAfter(count: number, system: string): object {
  const body = JSON.parse(bodyOf(0, 'Mend the prices.', { system })) as { readonly messages: readonly object[] }
  const exchanges = results.slice(0, count).flatMap((result, at) => exchangeOf(`${at}`, result))
  return { ...body, messages: [...body.messages, ...exchanges] }
}

/** What the request shows of each result. */
function shownIn(body: string): readonly string[] {
  const shown: string[] = []
  JSON.parse(body, (_, value: unknown) => {
    if (isJsonObject(value) && value.type === 'tool_result') shown.push(textOf(value.content))
    return value
  })
  return shown
}

function textOf(content: unknown): string {
  return Array.isArray(content) ? content.map(({ text }: { readonly text: string }) => text).join('') : String(content)
}

const saidIn = (shown: string): readonly string[] =>
  (JSON.parse(shown) as [{ readonly result: string }])[0].result.split('\n')

async function restored(shown: string, packed: PackedRequest<object>): Promise<string> {
  const whole: string[] = []
  for (const line of saidIn(shown)) {
    const [, handle, lines] = /^\[\+\d+ lines as in .*: rehydrate\("(\d+)", "(\d+-\d+)"\)\]$/.exec(line) ?? []
    if (handle === undefined) whole.push(line)
    else whole.push(answerIn(await packed.next(calls('rehydrate', { handle, lines }))).replace(/\n$/, ''))
  }
  return whole.join('\n')
}

/** The newest result of a request. */
const answerIn = (request: object | undefined): string => shownIn(JSON.stringify(request)).at(-1) ?? ''

it.each([
  { first: 'a large first request', system: 'You are an agent. '.repeat(1500), isBrief: false },
  { first: 'a short first request', system: 'You are an agent.', isBrief: true },
])(
  'results that are JSON on one line refer to lines that an earlier one shows, after $first',
  async ({ system, isBrief }) => {
    const session = openSession({ store: memoryStore(), policy: 'careful' })
    let references = 0
    for (let count = 1; count <= results.length; count += 1) {
      const packed = await session.pack(bodyAfter(count, system))
      for (const [at, shown] of shownIn(packed.body).entries()) {
        if (shown === results[at] || !shown.startsWith('[{')) continue
        // It is JSON still, with the same members, and cheaper.
        const [value] = JSON.parse(shown) as [object]
        expect(Object.keys(value)).toEqual(['query', 'result', 'success'])
        expect(shown.length).toBeLessThan(results[at]!.length * 0.8)
        references += 1
        const markers = saidIn(shown).filter((line) => line.startsWith('['))
        expect(markers.length).toBeGreaterThan(0)
        const brief = markers.filter((line) => line.startsWith('[repeats lines '))
        expect(brief).toEqual(isBrief ? markers : [])
        if (!isBrief) expect(await restored(shown, packed)).toBe(saidIn(results[at]!).join('\n'))
        // A model that copies the lines into a call, or the JSON itself, has them written out.
        for (const [copied, meant] of [
          [saidIn(shown).join('\n'), saidIn(results[at]!).join('\n')],
          [shown, results[at]!],
        ])
          expect(await packed.answered(calls('write', { text: copied }))).toEqual(calls('write', { text: meant }))
      }
      await packed.answered(replies({ type: 'text', text: 'Go on.' }))
    }
    expect(references).toBeGreaterThan(5)
  },
)
