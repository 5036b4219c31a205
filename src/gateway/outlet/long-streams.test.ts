import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { Codec, SseEvent } from '../../codecs/index.ts'
import type { Dialect } from '../../core/index.ts'
import { filterChain } from './filter-chain.ts'
import { filterStream } from './filter-stream.ts'

/*
 * What stands in the way of a stream must cost what the stream is long: work that grows with what came before would take
 * these tests many minutes.
 */

const hiddenTools: ReadonlySet<string> = new Set(['rehydrate'])

const fold = ({ reducer }: Codec, events: readonly SseEvent[]) => {
  const { initial, step, reply } = reducer()
  return reply(events.reduce(step, initial))
}

/** The events that a client gets. */
function spliced({ splicer }: Codec, events: readonly SseEvent[]): number {
  const { begin, step, close } = splicer()
  let state = begin(hiddenTools)
  let forwarded = 0
  for (const event of events) {
    const next = step(state, event)
    state = next.state
    forwarded += next.forward.length
  }
  return forwarded + close(state).forward.length
}

/** The same, with their texts changed. */
async function filtered({ textPlaces }: Codec, events: readonly SseEvent[]): Promise<number> {
  const kinds = ['text', 'reasoning', 'arguments'] as const
  const open = () => ({ piece: (_: unknown, text: string) => `${text}.`, end: () => '' })
  const chain = filterChain([{ name: 'dots', failure: 'closed', kinds, open }], () => undefined)
  const filter = filterStream(textPlaces, chain!)
  let given = 0
  for (const event of events) given += (await filter.events([event])).length
  return given + (await filter.end()).length
}

const chunk = (choice: object, index = 0): SseEvent => ({
  data: JSON.stringify({ choices: [{ index, finish_reason: null, ...choice }] }),
})
const delta = (said: object): SseEvent => chunk({ delta: said })
const call = (index: number, name: string): SseEvent =>
  delta({ tool_calls: [{ index, id: `c${index}`, function: { name, arguments: '{}' } }] })
const event = (type: string, members: object): SseEvent => ({ event: type, data: JSON.stringify({ type, ...members }) })
const block = (index: number, content_block: object): SseEvent => event('content_block_start', { index, content_block })
const piece = (index: number, said: object): SseEvent => event('content_block_delta', { index, delta: said })

interface Kinds {
  readonly dialect: Dialect
  readonly before: readonly SseEvent[]
  /** Each event of a kind, by its number, is of something new, or more of the same. */
  readonly kinds: readonly ((index: number) => SseEvent)[]
}

const mixed: readonly Kinds[] = [
  {
    dialect: 'openai-chat',
    before: [],
    kinds: [
      (index) => delta({ content: `${index} ` }),
      () => chunk({ delta: { content: 'x' }, finish_reason: '' }),
      (index) => call(index, index % 2 === 0 ? 'read' : 'rehydrate'),
      () => delta({ tool_calls: [{ index: -1, function: { arguments: 'without a name' } }] }),
      (index) => chunk({ delta: { content: 'x' } }, index),
      (index) => delta({ [`member${index}`]: 'x' }),
    ],
  },
  {
    dialect: 'anthropic-messages',
    before: [block(0, { type: 'text', text: '' })],
    kinds: [
      (index) => piece(0, { type: 'text_delta', text: `${index} ` }),
      (index) => block(3 * index + 1, { type: 'text', text: 'never closed' }),
      (index) => block(3 * index + 2, { type: 'tool_use', id: `c${index}`, name: 'rehydrate', input: {} }),
      (index) => piece(3 * index, { type: 'thinking_delta', thinking: 'x' }),
      (index) => block(3 * index + 3, { type: 'thinking', thinking: '' }),
      (index) => event('message_delta', { delta: {}, usage: { output_tokens: index } }),
    ],
  },
]

const mixedEvents = 120_000

describe.each(mixed)('a stream of very many events: $dialect', ({ dialect, before, kinds }) => {
  const codec = codecFor(dialect)
  const rest = Array.from({ length: mixedEvents }, (_, index) => {
    return kinds[index % kinds.length]!(Math.floor(index / kinds.length))
  })
  const events = [...before, ...rest]

  it('is folded', () => {
    expect(fold(codec, events).text.length).toBeGreaterThan(mixedEvents / kinds.length)
  })

  it('is spliced', () => {
    const forwarded = spliced(codec, events)
    expect(forwarded).toBeGreaterThan(mixedEvents / 2)
    expect(forwarded).toBeLessThan(events.length)
  })

  it('is filtered', async () => {
    expect(await filtered(codec, events)).toBeGreaterThanOrEqual(events.length)
  })
})

const lists: readonly Kinds[] = [
  {
    dialect: 'openai-chat',
    before: [],
    kinds: [(index) => delta({ reasoning_details: [{ type: 'text', text: `${index}` }] })],
  },
  {
    dialect: 'anthropic-messages',
    before: [block(0, { type: 'text', text: '' })],
    kinds: [(index) => piece(0, { type: 'citations_delta', citation: { index } })],
  },
]

it.each(lists)('a list that grows by very many elements is folded: $dialect', ({ dialect, before, kinds }) => {
  const count = 150_000
  const elements = Array.from({ length: count }, (_, index) => kinds[0]!(index))
  const { message = '' } = fold(codecFor(dialect), [...before, ...elements])
  expect(message).toContain(String(count - 1))
})
