// What has to hold for every request body, whatever is in it. Used by the unit tests and, at length, by fuzz-codecs.ts.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Codec } from '../src/codecs/index.ts'
import { scanJson } from '../src/codecs/index.ts'
import type { Exchange, Item, Pack, PackEntry } from '../src/core/index.ts'
import { isPrehendError } from '../src/core/index.ts'
import type { Gen } from './codec-bodies.ts'
import { anthropicBody, chance, openaiBody, pick, text } from './codec-bodies.ts'

export function bodyFor(g: Gen, codec: Codec): string {
  return codec.dialect === 'openai-chat' ? openaiBody(g) : anthropicBody(g)
}

/** A pack that shows these items with these texts; an item whose text is undefined is omitted. */
export function packOf(exchange: Exchange, show: (item: Item) => string | undefined = (item) => item.text): Pack {
  const entries = exchange.conversation.items.flatMap((item): PackEntry[] => {
    const shown = show(item)
    if (shown === undefined) return []
    return [{ itemId: item.id, section: item.section, rung: 'full', text: shown, tokens: 1 }]
  })
  return { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 1, hash: '' }
}

export const properties: Readonly<Record<string, (g: Gen, codec: Codec) => void>> = {
  'decode then encode is the identity on bytes': (g, codec) => {
    const body = bodyFor(g, codec)
    const exchange = codec.decode({ body })
    assert.equal(codec.encode(exchange, { pack: packOf(exchange) }), body)
  },

  'changed texts, and nothing else, are different in the result': (g, codec) => {
    const exchange = codec.decode({ body: bodyFor(g, codec) })
    const pack = packOf(exchange, (item) => changedText(g, item))
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

  'names of items are unique, and stay when messages are put in before': (g, codec) => {
    const body = bodyFor(g, codec)
    const { conversation } = codec.decode({ body })
    const ids = conversation.items.map((item) => item.id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(new Set(conversation.messages.map((message) => message.id)).size, conversation.messages.length)
    const longer = codec.decode({ body: prependMessage(body, '{"role":"user","content":"never said before"}') })
    const [added, ...rest] = longer.conversation.items.filter((item) => item.section !== 'tools')
    const later = longer.conversation.items.map((item) => item.id).filter((id) => ids.includes(id))
    assert.deepEqual(later, ids, `${added?.id} ${rest.length}`)
    assert.equal(longer.conversation.items.length, ids.length + 1)
  },

  'what is inserted goes upstream, and is back in the next request, byte for byte as it went': (g, codec) => {
    const body = bodyFor(g, codec)
    const exchange = codec.decode({ body })
    const pack = packOf(exchange)
    const entries = [...pack.entries]
    const added = [...Array(1 + g(fc.nat, 2)).keys()].map((n) => ({ itemId: `new${n}`, text: `new ${n} ${text(g)}` }))
    let from = g(fc.nat, entries.length)
    for (const { itemId, text: words } of added) {
      entries.splice(from, 0, { itemId, section: 'evidence', rung: 'full', text: words, tokens: 1 })
      from += 1 + g(fc.nat, entries.length - from)
    }
    const view = { pack: { ...pack, entries } }
    const sent = codec.encode(exchange, view)
    const texts = codec.decode({ body: sent }).conversation.items.map((item) => item.text)
    assert.ok(added.every((entry) => texts.includes(entry.text)))
    const overlay = JSON.parse(JSON.stringify(codec.overlayOf(exchange, view)))
    assert.equal(codec.restore(body, overlay, exchange), sent)
    const next = appendMessage(body, '{"role":"user","content":"never said before"}')
    const restored = codec.restore(next, overlay)
    assert.equal(restored, appendMessage(sent, '{"role":"user","content":"never said before"}'))
  },

  'a second decode gives what a first one gives, and the same objects for what has not changed': (g, codec) => {
    const body = bodyFor(g, codec)
    const before = codec.decode({ body })
    const messages = scanJson(body)
    const longer = appendMessage(body, messages.root.children.length > 0 ? '{"role":"user","content":"more"}' : '')
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

  'damaged bodies decode or are refused with a PrehendError': (g, codec) => {
    const body = bodyFor(g, codec)
    const at = g(fc.nat, body.length)
    const piece = pick(g, '', '"', '{', '[', ']', ',', 'null', '1', '\\', '\u0000', text(g))
    const damaged = body.slice(0, at) + piece + body.slice(at + g(fc.nat, 12))
    try {
      const exchange = codec.decode({ body: damaged })
      assert.equal(codec.encode(exchange, { pack: packOf(exchange) }), damaged)
    } catch (error) {
      if (!isPrehendError(error)) throw error
    }
  },

  'omitted items are gone, kept ones stay, or the encode is refused': (g, codec) => {
    const exchange = codec.decode({ body: bodyFor(g, codec) })
    const groups = new Set(exchange.conversation.items.flatMap((item) => (chance(g, 4) ? (item.group ?? item.id) : [])))
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

  'breakpoints change no text': (g, codec) => {
    const exchange = codec.decode({ body: bodyFor(g, codec) })
    const breakpoints = exchange.conversation.items.filter(() => chance(g, 4)).slice(0, 4)
    const shown = packOf(exchange, (item) => changedText(g, item))
    const pack: Pack = { ...shown, breakpoints: breakpoints.map((item) => ({ itemId: item.id, ttlMs: 300_000 })) }
    const marked = codec.decode({ body: codec.encode(exchange, { pack }) })
    assert.ok(marked.wire.markers.length <= breakpoints.length)
    const textsOf = (items: readonly { readonly text: string }[]): readonly string[] =>
      items.map((item) => item.text.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, ''))
    assert.deepEqual(textsOf(marked.conversation.items), textsOf(pack.entries))
  },
}

function changedText(g: Gen, item: Item): string {
  if (item.frozen === true || !chance(g, 3)) return item.text
  if (item.kind === 'tool-call') return pick(g, '{}', '{"n":1.0}')
  if (item.kind === 'tool-schema') return item.text
  return text(g)
}

function rawItems(codec: Codec, body: string, indexes: readonly number[]): readonly unknown[] {
  const exchange = codec.decode({ body })
  return indexes.map((index) => codec.rawItem(exchange, exchange.conversation.items[index]?.id ?? ''))
}

/** The body with one more message at the front of its (last) `messages`. */
function prependMessage(body: string, message: string): string {
  const [first] = messagesOf(body)
  assert.ok(first !== undefined)
  return `${body.slice(0, first.start)}${message},${body.slice(first.start)}`
}

/** The body with one more message at the end of its (last) `messages`. */
function appendMessage(body: string, message: string): string {
  const last = messagesOf(body).at(-1)
  assert.ok(last !== undefined && message !== '')
  return `${body.slice(0, last.end)},${message}${body.slice(last.end)}`
}

function messagesOf(body: string): readonly { readonly start: number; readonly end: number }[] {
  const tree = scanJson(body)
  const index = tree.root.children.findLastIndex((_, at) => {
    const [start, end] = [tree.root.keys[2 * at], tree.root.keys[2 * at + 1]]
    return JSON.parse(body.slice(start, end)) === 'messages'
  })
  return tree.root.children[index]?.children ?? []
}
