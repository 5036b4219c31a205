// How fast bodies and streams are read and written, beside JSON.parse. usage: node bench/codecs.ts
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Codec, SseEvent } from '../src/codecs/index.ts'
import { codecFor, encodeSse, sseParser } from '../src/codecs/index.ts'
import type { WireExchange, Pack } from '../src/core/index.ts'
import { scanJson } from '../src/core/index.ts'
import { packOf, writeReply } from '../src/testing/index.ts'
import { markdownTable } from './markdown-table.ts'

interface Message {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly tool_call_id?: string
}

const file = new URL('../../shared/data/swe-traces/lite_test_a.jsonl', import.meta.url)
const traces = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): { readonly messages: readonly Message[] } => JSON.parse(line))
const longest = traces.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0]?.messages ?? []
// About 100,000 tokens: more than the longest trace has, so its conversation begins again under other ids.
const messages = [0, 1]
  .flatMap((copy) => longest.slice(copy === 0 ? 0 : 2).map((message) => withIds(message, copy)))
  .slice(0, 450)

function withIds(message: Message, copy: number): Message {
  const { tool_calls: calls, tool_call_id: id } = message
  return {
    ...message,
    ...(id === undefined ? {} : { tool_call_id: `${id}-${copy}` }),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => ({ ...call, id: `${call.id}-${copy}` })) }),
  }
}

function openaiBody(all: readonly Message[]): string {
  const wire = all.map(({ role, content, tool_calls: calls, tool_call_id: id }) => ({
    role,
    content,
    tool_calls: calls?.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
    tool_call_id: id,
  }))
  return JSON.stringify({ model: 'gpt-5.6-sol', messages: wire, stream: true })
}

function anthropicBody(all: readonly Message[]): string {
  const [system, ...rest] = all
  const wire = rest.map(({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
    if (calls === undefined) return { role, content }
    const uses = calls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: JSON.parse(call.arguments),
    }))
    return { role, content: [...(content === '' ? [] : [{ type: 'text', text: content }]), ...uses] }
  })
  return JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 1000, system: system?.content, messages: wire })
}

function measure(run: () => unknown): string {
  for (let index = 0; index < 20; index += 1) run()
  const times = [...Array(60).keys()]
    .map(() => {
      const start = performance.now()
      run()
      return performance.now() - start
    })
    .toSorted((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(share * times.length)] ?? 0).toFixed(3)
  return `${at(0.5)} (${at(0)}-${at(0.95)})`
}

/** Every fifth result made short, the way an epoch does. */
function thinned(exchange: WireExchange): Pack {
  let results = 0
  return packOf(exchange, (item) => {
    if (item.kind !== 'tool-result') return item.text
    results += 1
    return results % 5 === 0 ? `[short ${results}]` : item.text
  })
}

/** A text of its own, as one that came over the wire is: what is built from pieces is slower to read the first time. */
function received(text: string): string {
  return Buffer.from(text).toString('utf8')
}

function requestRows(codec: Codec, write: (all: readonly Message[]) => string): readonly (readonly [string, string])[] {
  const body = received(write(messages))
  const before = codec.decode({ body: received(write(messages.slice(0, -2))) })
  const exchange = codec.decode({ body })
  const same = packOf(exchange)
  const changed = thinned(exchange)
  const turns = hiddenTurns(codec)
  return [
    [
      'body',
      `${(body.length / 1024).toFixed(0)} KB, ${exchange.conversation.messages.length} messages, ${exchange.conversation.items.length} items`,
    ],
    ['JSON.parse, ms', measure(() => JSON.parse(body))],
    ['JSON.parse and JSON.stringify, ms', measure(() => JSON.stringify(JSON.parse(body)))],
    ['scanJson, ms', measure(() => scanJson(body))],
    ['decode, ms', measure(() => codec.decode({ body }))],
    ['decode, one turn appended, ms', measure(() => codec.decode({ body }, before))],
    ['encode, nothing changed, ms', measure(() => codec.encode(exchange, { pack: same }))],
    ['encode, every fifth result changed, ms', measure(() => codec.encode(exchange, { pack: changed }))],
    ['held after the whole session, MB', heldMb(codec, write)],
    ['restore of one hidden turn, ms', measure(() => codec.restore(body, turns, { received: exchange }))],
  ]
}

/** What is held after a session of which every request was decoded with the one before. */
function heldMb(codec: Codec, write: (all: readonly Message[]) => string): string {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const heap = (): number => {
    if (typeof collect === 'function') collect()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  let exchange: WireExchange | undefined
  let sent = 0
  for (let turn = 2; turn < messages.length; turn += 2) {
    const body = received(write(messages.slice(0, turn)))
    sent += body.length
    exchange = codec.decode({ body }, exchange)
  }
  const held = heap() - before
  return `${(held / 1e6).toFixed(1)} of ${(sent / 1e6).toFixed(0)} sent, ${exchange?.conversation.items.length ?? 0} items`
}

function hiddenTurns(codec: Codec): Parameters<Codec['restore']>[1] {
  const reply = codec.decodeReply(
    writeReply(
      codec.dialect,
      { ...plain, calls: [{ id: 'h', name: 'rehydrate', arguments: '{}' }], stop: 'calls' },
      (words) => [words],
    ).body,
  )
  const last = codec.decodeReply(
    writeReply(codec.dialect, { ...plain, texts: ['not in the body'] }, (words) => [words]).body,
  )
  const rounds = [{ reply, results: [{ callId: 'h', text: 'r' }] }]
  const turn = codec.hiddenTurn({
    body: '{"messages":[]}',
    rounds,
    last: { reply: last, results: [] },
    hiddenTools,
  })
  return turn === undefined ? [] : [{ kind: 'hidden-turn', turn }]
}

const hiddenTools: ReadonlySet<string> = new Set(['rehydrate'])

const plain = { id: 'r', reasoning: '', texts: [], calls: [], stop: 'end', input: 1, cached: 1, output: 1 } as const
const pieces = (words: string): readonly string[] => words.match(/.{1,5}/gs) ?? []

function streamRows(codec: Codec): readonly (readonly [string, string])[] {
  const texts = [(longest.find((message) => message.role === 'tool')?.content ?? '').repeat(3).slice(0, 10_000)]
  const { events } = writeReply(codec.dialect, { ...plain, texts }, pieces)
  const chunks = events.map((event) => Buffer.from(encodeSse(event)))
  const each = (run: () => unknown): string => {
    const all = measure(run)
    return all.replaceAll(/[\d.]+/g, (figure) => ((Number(figure) * 1000) / events.length).toFixed(2))
  }
  const splicer = codec.splicer()
  const fold = (): unknown => {
    const reducer = codec.reducer()
    return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
  }
  const spliceOver = (begun: ReturnType<typeof splicer.begin>): unknown => {
    return events.reduce((state, event) => splicer.step(state, event).state, begun)
  }
  const parse = (): readonly SseEvent[] => {
    const parser = sseParser()
    return chunks.flatMap((chunk) => [...parser.push(chunk)])
  }
  return [
    ['stream', `${events.length} events`],
    [
      'JSON.parse of an event, us',
      each(() => events.map((event) => event.data.startsWith('{') && JSON.parse(event.data))),
    ],
    ['SSE bytes to event, us', each(parse)],
    ['reducer, us per event', each(fold)],
    ['splicer, first stream, us per event', each(() => spliceOver(splicer.begin(hiddenTools)))],
    ['splicer, second stream, us per event', each(() => spliceOver(splicer.resume(splicer.begin(hiddenTools))))],
  ]
}

const [openai, anthropic] = [codecFor('openai-chat'), codecFor('anthropic-messages')]
const left = [...requestRows(openai, openaiBody), ...streamRows(openai)]
const right = [...requestRows(anthropic, anthropicBody), ...streamRows(anthropic)]
const rows = left.map(([what, figure], index) => ({
  what,
  [openai.dialect]: figure,
  [anthropic.dialect]: right[index]?.[1] ?? '',
}))
console.log('Median of 60 runs (fastest-95th percentile).\n')
console.log(markdownTable(rows))
