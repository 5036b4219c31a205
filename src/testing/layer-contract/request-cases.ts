import { deepStrictEqual, equal } from 'node:assert/strict'
import type { ContractCase } from '../contract-case.ts'
import { withLayer } from './layer-bench.ts'
import type { TriedLayer } from './layer-under-test.ts'

/** What a layer does with requests. */
export function requestCases({ open, says, dialect }: TriedLayer): readonly ContractCase[] {
  const [first] = says
  return [
    {
      name: 'the same request is the same bytes, each time and in every mode that forwards',
      run: async () => {
        const bodies = new Set<string>()
        for (const mode of ['off', 'observe', 'off'] as const) {
          await withLayer({ layer: open(), mode }, async ({ send, requests }) => {
            equal((await send(dialect, dialect.body(says))).status, 200)
            equal(requests.length, 1)
            for (const { body } of requests) bodies.add(body)
          })
        }
        equal(bodies.size, 1)
      },
    },
    {
      name: 'what was sent stands at the beginning of what is sent next, so that a cache finds it',
      run: async () => {
        await withLayer({ layer: open(), mode: 'off' }, async ({ send, requests }) => {
          for (const said of [[first], says]) equal((await send(dialect, dialect.body(said))).status, 200)
          const [before = [], after = []] = requests.map(({ body }) => messagesOf(body))
          deepStrictEqual(after.slice(0, before.length), before)
        })
      },
    },
    {
      name: 'the rounds of a hidden tool pass it: what was asked first stands at their beginning',
      run: async () => {
        const script = [{ toolCalls: [{ name: 'rehydrate', arguments: { handle: 'none' } }] }, 'Done.']
        await withLayer({ layer: open(), script }, async ({ send, requests }) => {
          const { status } = await send(dialect, { ...dialect.body(says), tools: [dialect.tool] })
          equal(status, 200)
          const [asked = [], again = []] = requests.map(({ body }) => wordsOf(body))
          equal(requests.length, 2)
          deepStrictEqual(again.slice(0, asked.length), asked)
        })
      },
    },
    {
      name: 'its time stands in the receipt',
      run: async () => {
        const layer = open()
        await withLayer({ layer }, async ({ send, results }) => {
          await send(dialect, dialect.body(says))
          const [result] = await eventually(results, ([newest]) => newest !== undefined)
          const found = (result?.layers ?? []).filter(({ name, ms }) => name === layer.name && ms >= 0)
          equal(found.length, 1)
        })
      },
    },
    {
      name: 'the facts that it notes are as it declares them',
      run: async () => {
        const layer = open()
        await withLayer({ layer }, async ({ send, results, metrics }) => {
          await send(dialect, dialect.body(says))
          await eventually(results, ([newest]) => newest !== undefined)
          const dropped = (await metrics())
            .split('\n')
            .filter((line) => line.includes(`facts_dropped_total{layer="${layer.name}"`))
          deepStrictEqual(dropped, [])
        })
      },
    },
  ]
}

function messagesOf(body: string): readonly unknown[] {
  const { messages } = JSON.parse(body) as { readonly messages: readonly unknown[] }
  return messages
}

/** Messages without the marks for the prompt cache, which move. */
function wordsOf(body: string): readonly string[] {
  return messagesOf(body).map((message) =>
    JSON.stringify(message, (name, value: unknown) => (name === 'cache_control' ? undefined : value)),
  )
}

/** A receipt is written while its reply is already being read. */
async function eventually<Found>(look: () => Promise<Found>, isThere: (found: Found) => boolean): Promise<Found> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await look()
    if (isThere(found)) return found
    await new Promise((done) => setTimeout(done, 10))
  }
  return look()
}
