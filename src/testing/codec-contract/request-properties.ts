// What has to hold for every request body, whatever is in it.
import assert from 'node:assert/strict'
import type { Codec } from '../../codecs/index.ts'
import type { WireExchange, Item, Pack, PackEntry } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { CodecCases, CodecProperty } from './codec-cases.ts'
import type { Draw } from './draw.ts'
import { chance, pick, text } from './draw.ts'

/** A pack that shows these items with these texts; an item whose text is undefined is omitted. */
export function packOf(exchange: WireExchange, show: (item: Item) => string | undefined = (item) => item.text): Pack {
  const entries = exchange.conversation.items.flatMap((item): PackEntry[] => {
    const shown = show(item)
    if (shown === undefined) return []
    return [{ itemId: item.id, section: item.section, rung: 'full', text: shown, tokens: 1 }]
  })
  return { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 1, hash: '' }
}

export const requestProperties: Readonly<Record<string, CodecProperty>> = {
  'decode then encode is the identity on bytes': (draw, codec, cases) => {
    const body = cases.body(draw)
    const exchange = codec.decode({ body })
    assert.equal(codec.encode(exchange, { pack: packOf(exchange) }), body)
  },

  'changed texts, and nothing else, are different in the result': (draw, codec, cases) => {
    const exchange = codec.decode({ body: cases.body(draw) })
    const pack = packOf(exchange, (item) => changedText(draw, item))
    const body = codec.encode(exchange, { pack })
    const shown = codec.decode({ body }).conversation.items
    assert.deepEqual(
      shown.map((item) => item.text),
      pack.entries.map((entry) => entry.text),
    )
    // Written back, the original bytes return, except for the spelling of what was changed.
    const { items } = exchange.conversation
    const same = items.flatMap((item, index) => (pack.entries[index]?.text === item.text ? [index] : []))
    assert.deepEqual(rawItems(codec, body, same), rawItems(codec, exchange.wire.body, same))
  },

  'names of items are unique, and stay when messages are put in before': (draw, codec, cases) => {
    const body = cases.body(draw)
    const { conversation } = codec.decode({ body })
    const ids = conversation.items.map((item) => item.id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(new Set(conversation.messages.map((message) => message.id)).size, conversation.messages.length)
    const longer = codec.decode({ body: prepended(cases, body, 'never said before') })
    const [added, ...rest] = longer.conversation.items.filter((item) => item.section !== 'tools')
    const later = longer.conversation.items.map((item) => item.id).filter((id) => ids.includes(id))
    assert.deepEqual(later, ids, `${added?.id} ${rest.length}`)
    assert.equal(longer.conversation.items.length, ids.length + 1)
  },

  'what is inserted goes upstream, and is back in the next request, byte for byte as it went': (draw, codec, cases) => {
    const body = cases.body(draw)
    const exchange = codec.decode({ body })
    const pack = packOf(exchange)
    const entries = [...pack.entries]
    const added = [...Array(1 + draw.whole(2)).keys()].map((n) => ({
      itemId: `new${n}`,
      text: `new ${n} ${text(draw)}`,
    }))
    let from = draw.whole(entries.length)
    for (const { itemId, text: words } of added) {
      entries.splice(from, 0, { itemId, section: 'evidence', rung: 'full', text: words, tokens: 1 })
      from += 1 + draw.whole(entries.length - from)
    }
    const view = { pack: { ...pack, entries } }
    const sent = codec.encode(exchange, view)
    const texts = codec.decode({ body: sent }).conversation.items.map((item) => item.text)
    assert.ok(added.every((entry) => texts.includes(entry.text)))
    const overlay = JSON.parse(JSON.stringify(codec.overlayOf(exchange, view)))
    assert.equal(codec.restore(body, overlay, { received: exchange }).body, sent)
    const next = appended(cases, body, 'never said before')
    const { body: restored, placed } = codec.restore(next, overlay)
    assert.equal(restored, appended(cases, sent, 'never said before'))
    assert.deepEqual(placed, overlay)
  },

  'a second decode gives what a first one gives, and the same objects for what has not changed': (
    draw,
    codec,
    cases,
  ) => {
    const body = cases.body(draw)
    const before = codec.decode({ body })
    const longer = appended(cases, body, 'more')
    const fresh = codec.decode({ body: longer })
    const again = codec.decode({ body: longer }, before)
    assert.deepEqual(again, fresh)
    const same = again.conversation.items.filter((item, index) => item === before.conversation.items[index]).length
    const query = before.conversation.items.filter((item) => item.section === 'query').length
    assert.ok(
      same >= before.conversation.items.length - query,
      `${same} of ${before.conversation.items.length} items taken over`,
    )
    assert.equal(codec.encode(again, { pack: packOf(again) }), longer)
  },

  'an exchange with its changes is what is read of its encoded body': (draw, codec, cases) => {
    const texts = new Map<string, string>()
    const changed = (exchange: WireExchange): WireExchange => {
      const items = exchange.conversation.items.map((item) => {
        const now = texts.get(item.id) ?? changedText(draw, item)
        texts.set(item.id, now)
        return now === item.text ? item : { ...item, text: now }
      })
      return { ...exchange, conversation: { ...exchange.conversation, items } }
    }
    const first = codec.decode({ body: cases.body(draw) })
    const next = codec.decode({ body: appended(cases, first.wire.body, 'more') }, first)
    let before: WireExchange | undefined
    for (const exchange of [first, next].map(changed)) {
      const { path, headers } = exchange.wire
      const read = codec.decode({ path, headers, body: codec.encode(exchange, {}) })
      const applied = codec.apply?.(exchange, before)
      if (applied) assert.deepEqual(applied, read)
      before = applied
    }
  },

  'damaged bodies decode or are refused with a PrehendError': (draw, codec, cases) => {
    const body = cases.body(draw)
    const at = draw.whole(body.length)
    const piece = pick(draw, '', '"', '{', '[', ']', ',', 'null', '1', '\\', '\u0000', text(draw))
    const damaged = body.slice(0, at) + piece + body.slice(at + draw.whole(12))
    try {
      const exchange = codec.decode({ body: damaged })
      assert.equal(codec.encode(exchange, { pack: packOf(exchange) }), damaged)
    } catch (error) {
      if (!isPrehendError(error)) throw error
    }
  },

  'omitted items are gone, kept ones stay, or the encode is refused': (draw, codec, cases) => {
    const exchange = codec.decode({ body: cases.body(draw) })
    const groups = new Set(
      exchange.conversation.items.flatMap((item) => (chance(draw, 4) ? (item.group ?? item.id) : [])),
    )
    const pack = packOf(exchange, (item) => (groups.has(item.group ?? item.id) ? undefined : item.text))
    try {
      const shown = codec.decode({ body: codec.encode(exchange, { pack }) }).conversation.items
      assert.deepEqual(
        shown.map((item) => item.text),
        pack.entries.map((entry) => entry.text),
      )
    } catch (error) {
      if (!isPrehendError(error) || error.code !== 'compile-assertion') throw error
    }
  },

  'breakpoints change no text': (draw, codec, cases) => {
    const exchange = codec.decode({ body: cases.body(draw) })
    const breakpoints = exchange.conversation.items.filter(() => chance(draw, 4)).slice(0, 4)
    const shown = packOf(exchange, (item) => changedText(draw, item))
    const pack: Pack = { ...shown, breakpoints: breakpoints.map((item) => ({ itemId: item.id, ttlMs: 300_000 })) }
    const marked = codec.decode({ body: codec.encode(exchange, { pack }) })
    assert.ok(marked.wire.markers.length <= breakpoints.length)
    // The definition of a tool is its whole JSON, markers included.
    const isTool = new Set(exchange.conversation.items.flatMap(({ kind, id }) => (kind === 'tool-schema' ? [id] : [])))
    const said = marked.conversation.items.filter(({ kind }) => kind !== 'tool-schema').map((item) => item.text)
    assert.deepEqual(
      said,
      pack.entries.filter(({ itemId }) => !isTool.has(itemId)).map((entry) => entry.text),
    )
  },
}

function changedText(draw: Draw, item: Item): string {
  if (item.frozen === true || !chance(draw, 3)) return item.text
  if (item.kind === 'tool-call') return pick(draw, '{}', '{"n":1.0}')
  if (item.kind === 'tool-schema') return item.text
  // Where a result has no place for words of media beside its own, they join those.
  if (item.kind === 'media' && item.toolCallId !== undefined) return item.text
  return text(draw)
}

function rawItems(codec: Codec, body: string, indexes: readonly number[]): readonly unknown[] {
  const exchange = codec.decode({ body })
  return indexes.map((index) => codec.rawItem(exchange, exchange.conversation.items[index]?.id ?? ''))
}

/** The body with one more message at its front. */
function prepended(cases: CodecCases, body: string, words: string): string {
  const start = cases.messagesOf(body)[0]?.start ?? 0
  return `${body.slice(0, start)}${cases.userMessage(words)},${body.slice(start)}`
}

/** The body with one more message at its end. */
function appended(cases: CodecCases, body: string, words: string): string {
  const end = cases.messagesOf(body).at(-1)?.end ?? 0
  return `${body.slice(0, end)},${cases.userMessage(words)}${body.slice(end)}`
}
