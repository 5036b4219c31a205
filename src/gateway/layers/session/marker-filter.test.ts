import { describe, expect, it } from 'vitest'
import { codecFor, rewriteReply } from '../../../codecs/index.ts'
import type { SseEvent } from '../../../codecs/index.ts'
import { markerWriter } from '../../../sessions/index.ts'
import { filterChain } from '../../outlet/filter-chain.ts'
import { filterStream } from '../../outlet/filter-stream.ts'
import type { StreamFilter } from '../../outlet/filter-stream.ts'
import { markerFilter } from './marker-filter.ts'

const marker = '[1-2 folded: 123456789012]'
const escaped = marker

type Dialect = 'openai-chat' | 'anthropic-messages'

const chain = () =>
  filterChain(
    [
      markerFilter(
        markerWriter({
          resolve: async ({ text }) => (text === marker ? { text: 'one "1"\n  two' } : undefined),
          count: () => undefined,
        }),
      ),
    ],
    (_, error) => {
      throw error
    },
  )!

const guard = (dialect: Dialect): StreamFilter => filterStream(codecFor(dialect).textPlaces, chain())

async function all(own: StreamFilter, events: readonly object[]): Promise<readonly unknown[]> {
  const out: SseEvent[] = []
  for (const event of events) out.push(...(await own.events([{ data: JSON.stringify(event) }])))
  return [...out, ...(await own.end())].map(({ data }): unknown => JSON.parse(data))
}

const delta = (calls: readonly object[], finish: string | null = null): object => ({
  id: 'c',
  choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finish }],
})
const fn = (index: number, text: string): object => ({ index, function: { arguments: text } })
const custom = (index: number, text: string): object => ({ index, custom: { input: text } })
const input = (index: number, text: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
})

describe('markerFilter', () => {
  it('hands on the same events where there is nothing of ours', async () => {
    const own = guard('anthropic-messages')
    const events = [input(0, '{"a":[1,"[x'), input(0, ' [5]"]}'), { type: 'content_block_stop', index: 0 }].map(
      (event) => ({
        data: JSON.stringify(event),
      }),
    )
    for (const event of events) expect(await own.events([event])).toEqual([event])
    const [event] = events
    expect((own.events([event!]) as readonly SseEvent[])[0]).toBe(event)
  })

  it('keeps parallel calls apart, in one chunk too', async () => {
    const out = await all(guard('openai-chat'), [
      delta([fn(0, '{"a":"[1-2 fol'), fn(1, '{"b":"x\\n')]),
      delta([fn(0, 'ded: 123456789012]"}'), fn(1, `${escaped}"}`)]),
      delta([], 'tool_calls'),
    ])
    expect(out).toEqual([
      delta([fn(0, '{"a":"'), fn(1, '{"b":"x')]),
      delta([fn(0, String.raw`one \"1\"\n  two"}`), fn(1, String.raw`\none \"1\"\n  two"}`)]),
      delta([], 'tool_calls'),
    ])
  })

  it('free-form input is not JSON; in a patch every line gets its mark', async () => {
    const out = await all(guard('openai-chat'), [delta([custom(0, `*** f\n+${marker}`)]), delta([], 'tool_calls')])
    expect(out).toEqual([
      delta([custom(0, '*** f')]),
      delta([custom(0, '\n+one "1"\n+  two')]),
      delta([], 'tool_calls'),
    ])
  })

  it('a chunk that brings a call and ends it is sent as one', async () => {
    const out = await all(guard('openai-chat'), [delta([custom(0, marker)], 'tool_calls')])
    expect(out).toEqual([delta([custom(0, 'one "1"\n  two')], 'tool_calls')])
  })

  it('what is held back of a call that is cut off goes out before what ends it', async () => {
    const stop = { type: 'content_block_stop', index: 1 }
    const ping = { type: 'ping' }
    const out = await all(guard('anthropic-messages'), [input(1, '{"a":"[1-2 fold'), ping, stop])
    expect(out).toEqual([input(1, '{"a":"'), ping, input(1, '[1-2 fold'), stop])
    expect(await all(guard('anthropic-messages'), [input(1, '{"a":"[1-2 fold')])).toEqual([
      input(1, '{"a":"'),
      input(1, '[1-2 fold'),
    ])
  })

  it("the provider's own tools are left alone", async () => {
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: 's', name: 'code' },
    }
    const events = [start, input(0, `{"a":"${escaped}"}`), { type: 'content_block_stop', index: 0 }]
    expect(await all(guard('anthropic-messages'), events)).toEqual(events)
  })

  it('whole replies: every byte beside the marker stays', async () => {
    const body = `{ "content": [ {"type":"tool_use","id":"t","name":"w","input": {"a" : "\\u00e9\\n${escaped}"} }, {"type":"text","text":"${marker}"} ] }`
    expect(await rewriteReply(codecFor('anthropic-messages').textPlaces, chain(), body)).toBe(
      body.replace(escaped, () => String.raw`one \"1\"\n  two`),
    )
  })
})
