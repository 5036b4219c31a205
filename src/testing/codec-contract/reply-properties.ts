// What has to hold for every reply, streamed or not.
import assert from 'node:assert/strict'
import type {
  Codec,
  HiddenReply,
  HiddenToolNames,
  SpliceState,
  SpliceStep,
  SseEvent,
  StreamSplicer,
} from '../../codecs/index.ts'
import { encodeSse, sseParser } from '../../codecs/index.ts'
import type { ModelReply } from '../../core/index.ts'
import type { CodecCases, CodecProperty } from './codec-cases.ts'
import type { Draw } from './draw.ts'
import { chance, pick } from './draw.ts'
import type { PlainReply } from './plain-reply.ts'
import { damage } from './damage.ts'
import { cutter, plainReply } from './replies.ts'
import { packOf } from './request-properties.ts'

const ours = 'rehydrate'
const hiddenTools: HiddenToolNames = new Set([ours])

export function foldEvents(codec: Codec, events: readonly SseEvent[]): ModelReply {
  const reducer = codec.reducer()
  return reducer.reply(events.reduce((state, event) => reducer.step(state, event), reducer.initial))
}

/** A turn with hidden rounds: the events that the client got, and the replies of the rounds. */
export interface SplicedTurn {
  readonly client: readonly SseEvent[]
  readonly hidden: readonly HiddenReply[]
  readonly last: HiddenReply
}

/** Plays upstream streams through a splicer the way the gateway does; our calls are answered with their ids. */
export function spliceTurn(codec: Codec, streams: readonly (readonly SseEvent[])[]): SplicedTurn {
  const splicer = codec.splicer()
  let state = splicer.begin(hiddenTools)
  const client: SseEvent[] = []
  const hidden: HiddenReply[] = []
  for (const [index, stream] of streams.entries()) {
    if (index > 0) state = splicer.resume(state)
    for (const step of stepsOf(splicer, state, stream)) {
      state = step.state
      client.push(...step.forward)
      if (step.end === undefined) continue
      const results = step.end.hiddenCalls.map((call) => ({ callId: call.id, text: `result of ${call.id}` }))
      const answered: HiddenReply = { reply: step.end.reply, results }
      assert.equal(step.end.mustContinue, index + 1 < streams.length)
      if (index + 1 === streams.length) return { client, hidden, last: answered }
      hidden.push(answered)
    }
  }
  throw new Error('the last stream has no end')
}

/** Of all events of a stream, and of its end. */
function* stepsOf(splicer: StreamSplicer, begun: SpliceState, stream: readonly SseEvent[]): Generator<SpliceStep> {
  let state = begun
  for (const event of stream) {
    const step = splicer.step(state, event)
    state = step.state
    yield step
  }
  yield splicer.close(state)
}

/** Replies that call only our tool, and one after them that does not, or calls the client's tools too. */
export function plainTurn(draw: Draw): readonly PlainReply[] {
  const rounds = [...Array(draw.whole(2)).keys()].map((id) =>
    plainReply(draw, id, chance(draw, 3) ? [ours, ours] : [ours]),
  )
  const names = pick(draw, [], ['read'], ['read', 'grep'], [ours, 'read'], ['read', ours], ['read', ours, 'grep'])
  return [...rounds, plainReply(draw, rounds.length, names)]
}

export const replyProperties: Readonly<Record<string, CodecProperty>> = {
  'a stream folds into the reply that its JSON body holds': (draw, codec, cases) => {
    const names = pick(draw, [], ['read'], ['read', 'grep'])
    const { body, events } = cases.reply(plainReply(draw, 0, names), cutter(draw))
    const decoded = codec.decodeReply(body)
    const folded = foldEvents(codec, events)
    assert.deepEqual({ ...folded, message: undefined }, { ...decoded, message: undefined })
    assert.deepEqual(JSON.parse(folded.message ?? ''), JSON.parse(decoded.message ?? ''))
  },

  'what a reply used is told without decoding it': (draw, codec, cases) => {
    const { body } = cases.reply(plainReply(draw, 0, pick(draw, [], ['read'])), cutter(draw))
    assert.deepEqual(codec.usageOf(body), codec.decodeReply(body).usage)
    for (const other of ['', '{', '[]', 'null', '{"usage":7}', '{"error":{},"usage":{}}'])
      assert.equal(codec.usageOf(other), undefined)
  },

  'what was used, and whether a stream is whole, is known without its words': (draw, codec, cases) => {
    const { events } = cases.reply(plainReply(draw, 0, pick(draw, [], ['read'])), cutter(draw))
    const cut = pick(
      draw,
      events,
      events.slice(0, draw.whole(events.length)),
      events.flatMap((event) => damage(draw, event)),
    )
    const reducer = codec.reducer()
    const [all, skimmed] = [reducer.step, reducer.skim].map((fold) => cut.reduce(fold, reducer.initial))
    assert.ok(all && skimmed)
    assert.equal(skimmed.ended, all.ended)
    const [told, known] = [reducer.reply(skimmed), reducer.reply(all)]
    assert.deepEqual([told.text, told.toolCalls], ['', []])
    assert.deepEqual([told.usage, told.failure], [known.usage, known.failure])
  },

  'events survive the wire, cut anywhere': (draw, _, cases) => {
    const { events } = cases.reply(plainReply(draw, 0, ['read']), cutter(draw))
    const bytes = new TextEncoder().encode(events.map(encodeSse).join(''))
    const parser = sseParser()
    const at = draw.whole(bytes.length)
    const read = [...parser.push(bytes.slice(0, at)), ...parser.push(bytes.slice(at)), ...parser.end()]
    assert.deepEqual(read, events)
  },

  'no sequence of events makes a reducer or a splicer throw': (draw, codec, cases) => {
    const { events } = cases.reply(plainReply(draw, 0, pick(draw, [ours], [ours, 'read'])), cutter(draw))
    const damaged = events.flatMap((event) => damage(draw, event))
    const splicer = codec.splicer()
    let state = splicer.begin(hiddenTools)
    const client: SseEvent[] = []
    for (const event of damaged) {
      const step = splicer.step(state, event)
      state = chance(draw, 20) ? splicer.resume(step.state) : step.state
      client.push(...step.forward)
    }
    client.push(...splicer.close(state).forward, ...splicer.finish(state))
    for (const seen of [damaged, client]) assert.equal(typeof foldEvents(codec, seen).text, 'string')
  },

  'a spliced stream folds into the merged reply, and our calls never show': (draw, codec, cases) => {
    const written = plainTurn(draw).map((reply) => cases.reply(reply, cutter(draw)))
    const turn = spliceTurn(
      codec,
      written.map((reply) => reply.events),
    )
    assert.ok(!JSON.stringify(turn.client).includes(ours))
    const bodies = written.map((reply) => reply.body)
    const merged = codec.mergeReplies(bodies, hiddenTools)
    assert.ok(!merged.includes(ours))
    const [streamed, whole] = [foldEvents(codec, turn.client), codec.decodeReply(merged)]
    const nameless = { id: undefined, message: undefined }
    assert.deepEqual({ ...streamed, ...nameless }, { ...whole, ...nameless })
    assert.deepEqual(JSON.parse(streamed.message ?? ''), JSON.parse(whole.message ?? ''))
    const replies = bodies.map((body) => codec.decodeReply(body))
    assert.equal(streamed.text, replies.map((reply) => reply.text).join(''))
    assert.equal(streamed.id, replies[0]?.id)
    assert.equal(whole.id, replies.at(cases.namedByLast === true ? -1 : 0)?.id)
    assert.deepEqual(streamed.usage, replies.at(-1)?.usage)
  },

  'what was hidden is back in the next request, byte for byte as it went upstream': (draw, codec, cases) => {
    const written = plainTurn(draw).map((reply) => cases.reply(reply, cutter(draw)))
    const turn = spliceTurn(
      codec,
      written.map((reply) => reply.events),
    )
    const body = cases.bodyOf([cases.userMessage('go')])
    const record = codec.hiddenTurn({ body, rounds: turn.hidden, last: turn.last, hiddenTools })
    const exchange = codec.decode({ body })
    const hidden = [
      {
        afterId: exchange.conversation.messages[0]?.id ?? '',
        messages: turn.hidden.flatMap((round) => codec.hiddenMessages(round)),
      },
    ]
    const sent = codec.encode(exchange, { pack: packOf(exchange), hidden })
    const seen = foldEvents(codec, turn.client)
    // A client that saw nothing at all sends nothing back to which the exchange could be joined.
    if (seen.message === undefined || seen.message === '[]') return
    if (/"(?:content|parts)":\[\]/.test(seen.message)) return
    const next = nextRequest(codec, cases, seen)
    const { body: restored } = codec.restore(
      next,
      record === undefined ? [] : [JSON.parse(JSON.stringify({ kind: 'hidden-turn', turn: record }))],
    )
    assert.ok(restored.startsWith(sent.slice(0, sent.lastIndexOf(']'))), `${restored}\n${sent}`)
    const decoded = codec.decode({ body: restored })
    const calls = [...turn.hidden, turn.last].flatMap(({ reply }) => reply.toolCalls.map((call) => call.id))
    const inBody = decoded.conversation.items.filter((item) => item.kind === 'tool-call').map((item) => item.toolCallId)
    assert.deepEqual(inBody, calls)
    const results = decoded.conversation.items
      .filter((item) => item.kind === 'tool-result')
      .map((item) => item.toolCallId)
    assert.deepEqual(new Set(results), new Set(calls))
    assert.equal(results.length, calls.length)
  },
}

/** What a client sends next: the reply as it was read, results for its calls, and more words. */
function nextRequest(codec: Codec, cases: CodecCases, reply: ModelReply): string {
  const results = reply.toolCalls.map((call) => ({ callId: call.id, text: 'done' }))
  const own = codec.hiddenMessages({ reply, results: results.slice(0, 1) }).length - 1
  const answers = results.length === 0 ? [] : codec.hiddenMessages({ reply, results }).slice(own)
  return cases.bodyOf([cases.userMessage('go'), reply.message ?? '', ...answers, cases.userMessage('more')])
}
