// What has to hold for a client of one dialect and a provider of another.
import assert from 'node:assert/strict'
import { crossRequest, saidReply } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { WireExchange, Item, Loss } from '../../core/index.ts'
import type { CodecCases } from './codec-cases.ts'
import type { Draw } from './draw.ts'
import { pick } from './draw.ts'
import { readEvents, wordsOf, writeEvents } from './neutral-properties.ts'
import { cutter, plainReply } from './replies.ts'

/** A dialect, as one side of a crossing. */
export interface Side {
  readonly codec: Codec
  readonly cases: CodecCases
}

/** Holds for everything that can be drawn, or throws. */
type CrossingProperty = (draw: Draw, from: Side, to: Side) => void

/** Properties that hold for every request that crosses from one dialect to another, by their sentence. */
export const crossingProperties: Readonly<Record<string, CrossingProperty>> = {
  'what a request says is said in the other dialect, or named as lost, or the request is refused': (draw, from, to) => {
    const crossed = crossing(from.codec, to.codec, from.cases.body(draw))
    if (crossed === undefined) return
    const { exchange, there, lost } = crossed
    const kept = there.conversation.items.map(({ text }) => text)
    const named = new Set(lost.map(({ what }) => what))
    for (const item of exchange.conversation.items) {
      if (!isWords(item) || named.has(item.id) || named.has(item.toolName ?? '')) continue
      assert.ok(
        kept.some((text) => saysAll(text, item)),
        `${item.id} (${item.kind}) has vanished: ${JSON.stringify(item.text)}`,
      )
    }
    assert.equal(there.conversation.model, exchange.conversation.model)
  },

  'the same request is written in the same bytes, and what comes back says the same': (draw, from, to) => {
    const body = from.cases.body(draw)
    const crossed = crossing(from.codec, to.codec, body)
    if (crossed === undefined) return
    assert.equal(crossing(from.codec, to.codec, body)?.there.wire.body, crossed.there.wire.body)
    const back = crossing(to.codec, from.codec, crossed.there.wire.body)
    const forth = back && crossing(from.codec, to.codec, back.there.wire.body)
    if (forth && [...crossed.lost, ...back.lost, ...forth.lost].length === 0)
      assert.deepEqual(wordsIn(forth.there), wordsIn(crossed.there))
  },

  'a conversation that goes on only grows at its end': (_, from, to) => {
    const { bodyOf, userMessage } = from.cases
    const shorter = bodyOf([userMessage('one')])
    const longer = bodyOf([userMessage('one'), userMessage('two')])
    const [before, after] = [shorter, longer].map((body) => crossing(from.codec, to.codec, body)?.there)
    assert.ok(before && after)
    const items = before.conversation.items.map(({ text }) => text)
    assert.deepEqual(
      after.conversation.items.slice(0, items.length).map(({ text }) => text),
      items,
    )
  },

  'a reply says the same to the client, whole and streamed, however it is cut': (draw, from, to) => {
    const names = pick(draw, [], ['read'], ['read', 'grep'])
    const { body, events } = to.cases.reply(plainReply(draw, 0, names), cutter(draw))
    const told = to.codec.replyReader.whole(body)
    const said = saidReply(told)
    const frame = { id: 'frame', model: 'some-model', createdMs: 0 }
    const whole = from.codec.replyReader.whole(from.codec.replyWriter.whole(said, frame))
    assert.deepEqual(wordsOf(saidReply(whole)), wordsOf(said))
    const streamed = writeEvents(from.codec, readEvents(to.codec, events))
    assert.deepEqual(wordsOf(saidReply(readEvents(from.codec, streamed))), wordsOf(said))
  },
}

interface Crossed {
  readonly exchange: WireExchange
  /** As the provider reads it. */
  readonly there: WireExchange
  readonly lost: readonly Loss[]
}

/** Undefined where one of the dialects can hold no such request, and says so. */
function crossing(from: Codec, to: Codec, body: string): Crossed | undefined {
  try {
    const exchange = from.decode({ body })
    const { lost, ...written } = crossRequest(from, to, exchange)
    return { exchange, there: to.decode(written), lost }
  } catch (error) {
    assert.ok(isPrehendError(error), String(error))
    assert.notEqual(error.code, 'internal')
    return undefined
  }
}

function wordsIn({ conversation: { items } }: WireExchange): readonly unknown[] {
  return items.filter(isWords).map(({ kind, role, text }) => [kind, role, text])
}

function isWords({ kind, text }: Item): boolean {
  return text !== '' && (kind === 'text' || kind === 'instruction' || kind === 'tool-call' || kind === 'tool-result')
}

/** Arguments say the same in another spelling. */
function saysAll(text: string, { kind, text: wanted }: Item): boolean {
  if (text.includes(wanted)) return true
  return kind === 'tool-call' && sameJson(text, wanted)
}

function sameJson(one: string, other: string): boolean {
  try {
    assert.deepEqual(JSON.parse(one), JSON.parse(other))
    return true
  } catch {
    return false
  }
}
