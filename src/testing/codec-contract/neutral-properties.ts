// What has to hold for replies in words of no dialect.
import assert from 'node:assert/strict'
import type { Codec, SseEvent } from '../../codecs/index.ts'
import { saidReply } from '../../codecs/index.ts'
import type { ReplyEvent, SaidReply } from '../../core/index.ts'
import type { CodecProperty } from './codec-cases.ts'
import { chance, pick } from './draw.ts'
import { cutter, plainReply } from './replies.ts'
import { damage } from './damage.ts'

const frame = { id: 'frame', model: 'some-model', createdMs: 0 }

/** What a stream says, up to the end of its connection. */
export function readEvents(codec: Codec, events: readonly SseEvent[]): readonly ReplyEvent[] {
  const reader = codec.replyReader
  const said: ReplyEvent[] = []
  let state = reader.initial
  for (const event of events) {
    const step = reader.step(state, event)
    state = step.state
    said.push(...step.events)
  }
  return [...said, ...reader.close(state)]
}

/** A stream of the dialect that says this. */
export function writeEvents(codec: Codec, said: readonly ReplyEvent[]): readonly SseEvent[] {
  const events: SseEvent[] = []
  let state = codec.replyWriter.begin(frame)
  for (const event of said) {
    const step = codec.replyWriter.step(state, event)
    state = step.state
    events.push(...step.events)
  }
  return events
}

/** What every dialect has words for. */
export function wordsOf(said: SaidReply): unknown {
  const { text, reasoning, calls, reason, usage } = said
  return {
    text,
    reasoning,
    calls: calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments || '{}') as unknown })),
    reason,
    tokens: usage && [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens ?? 0],
  }
}

export const neutralProperties: Readonly<Record<string, CodecProperty>> = {
  'a stream says in neutral words what its whole body says': (draw, codec, cases) => {
    const names = pick(draw, [], ['read'], ['read', 'grep'])
    const { body, events } = cases.reply(plainReply(draw, 0, names), cutter(draw))
    const [streamed, whole] = [readEvents(codec, events), codec.replyReader.whole(body)]
    assert.deepEqual(wordsOf(saidReply(streamed)), wordsOf(saidReply(whole)))
    assert.deepEqual(saidReply(streamed).id, codec.decodeReply(body).id)
    assertInTurn(streamed)
    assertInTurn(whole)
  },

  'a reply that is written from neutral words says them, whole and streamed': (draw, codec, cases) => {
    const names = pick(draw, [], ['read'], ['read', 'grep'])
    const { body } = cases.reply(plainReply(draw, 0, names), cutter(draw))
    const told = codec.replyReader.whole(body)
    const said = saidReply(told)
    const whole = codec.replyWriter.whole(said, frame)
    assert.deepEqual(wordsOf(saidReply(codec.replyReader.whole(whole))), wordsOf(said))
    assert.deepEqual(wordsOf(saidReply(readEvents(codec, writeEvents(codec, told)))), wordsOf(said))
  },

  'a stream that is cut says so last, and one that is not never does': (draw, codec, cases) => {
    const { events } = cases.reply(plainReply(draw, 0, pick(draw, [], ['read'])), cutter(draw))
    const reducer = codec.reducer()
    const cut = events.slice(0, draw.whole(events.length))
    const { failure } = reducer.reply(cut.reduce((state, event) => reducer.step(state, event), reducer.initial))
    assert.equal(readEvents(codec, cut).at(-1)?.kind, failure ? 'failed' : 'end')
  },

  'no sequence of events makes a reader or a writer throw, or tell calls out of turn': (draw, codec, cases) => {
    const { events } = cases.reply(plainReply(draw, 0, pick(draw, ['read'], ['read', 'grep'])), cutter(draw))
    const damaged = events.flatMap((event) => (chance(draw, 2) ? damage(draw, event) : [event]))
    const told = readEvents(codec, damaged)
    assertInTurn(told)
    assert.ok(Array.isArray(writeEvents(codec, told)))
    assert.equal(typeof codec.replyWriter.whole(saidReply(told), frame), 'string')
  },
}

/** One call at a time, each with its end, and one end of all. */
function assertInTurn(events: readonly ReplyEvent[]): void {
  let open: number | undefined
  for (const [index, event] of events.entries()) {
    if (event.kind === 'call') {
      assert.equal(open, undefined)
      open = event.call
    } else if (event.kind === 'arguments') assert.equal(event.call, open)
    else if (event.kind === 'call-end') {
      assert.equal(event.call, open)
      open = undefined
    } else assert.equal(open, undefined, event.kind)
    assert.equal(event.kind === 'end' || event.kind === 'failed', index === events.length - 1)
  }
}
