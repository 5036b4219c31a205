import { deepStrictEqual, equal } from 'node:assert/strict'
import type { Exchange, HiddenTool, Layer } from '../../gateway/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { withLayer } from './layer-bench.ts'
import type { TriedLayer } from './layer-under-test.ts'

/** What a layer gives back of what it has masked; nothing is asked of one without `restore`. */
export function restoreCases(tried: TriedLayer): readonly ContractCase[] {
  if (tried.open().restore === undefined) return []
  const { open, says, dialect } = tried
  return [
    {
      name: 'a hidden tool gets what the user said in the words of the user, whatever the provider saw',
      run: async () => {
        const [, last] = says
        const heard: unknown[] = []
        const script = ({ body }: { readonly body: string }, turn: number) => {
          const text = lastWordsOf(body)
          return turn === 0 ? { toolCalls: [{ name: noting.name, arguments: { text } }] } : 'Done.'
        }
        const tool: HiddenTool = {
          definition: noting,
          answer: async (call) => {
            heard.push(JSON.parse(call.arguments))
            return { text: 'Noted.', found: true }
          },
        }
        await withLayer({ layer: open(), script, hiddenTools: [tool] }, async ({ send }) => {
          const { status } = await send(dialect, { ...dialect.body(says), tools: [dialect.tool] })
          equal(status, 200)
        })
        deepStrictEqual(heard, [{ text: last }])
      },
    },
    {
      name: 'what it has not masked it restores to the same text',
      run: async () => {
        const seen: Exchange[] = []
        const layer = open()
        await withLayer({ layer: listening(layer, seen) }, async ({ send }) => {
          equal((await send(dialect, dialect.body(says))).status, 200)
        })
        equal(seen.length, 1)
        for (const exchange of seen)
          for (const text of ['', 'x', '{"path":"a.ts"}', '🦉 \u0000 "quoted"\n'])
            equal(layer.restore?.(text, exchange), text)
      },
    },
  ]
}

const noting = {
  name: 'note_text',
  description: 'Notes a text.',
  schema: { type: 'object', properties: { text: { type: 'string' } } },
}

/** Keeps the exchanges that the layer hands on. */
function listening(layer: Layer, seen: Exchange[]): Layer {
  return {
    ...layer,
    handle: (exchange, next) =>
      layer.handle(exchange, (given) => {
        seen.push(given)
        return next(given)
      }),
  }
}

/** What the user said last, as the provider got it. */
function lastWordsOf(body: string): string {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { role: string; content: unknown }[] }
  const content = messages.findLast(({ role }) => role === 'user')?.content
  if (!Array.isArray(content)) return String(content)
  return (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('')
}
