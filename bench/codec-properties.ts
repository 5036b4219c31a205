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
      shown.map((item) => [item.id, item.text]),
      pack.entries.map((entry) => [entry.itemId, entry.text]),
    )
    // Written back, the original bytes return, except for the spelling of what was changed.
    const changed = new Set(
      pack.entries.flatMap((entry, index) =>
        entry.text === exchange.conversation.items[index]?.text ? [] : [entry.itemId],
      ),
    )
    assert.deepEqual(skeleton(codec, body, changed), skeleton(codec, exchange.wire.body, changed))
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

/** The raw JSON of every item that is not among the changed ones. */
function skeleton(codec: Codec, body: string, changed: ReadonlySet<string>): unknown {
  const exchange = codec.decode({ body })
  return exchange.conversation.items
    .filter((item) => !changed.has(item.id))
    .map((item) => codec.rawItem(exchange, item.id))
}

/** The body with one more message at the end of its (last) `messages`. */
function appendMessage(body: string, message: string): string {
  const tree = scanJson(body)
  const index = tree.root.children.findLastIndex((_, at) => {
    const [start, end] = [tree.root.keys[2 * at], tree.root.keys[2 * at + 1]]
    return JSON.parse(body.slice(start, end)) === 'messages'
  })
  const last = tree.root.children[index]?.children.at(-1)
  assert.ok(last !== undefined && message !== '')
  return `${body.slice(0, last.end)},${message}${body.slice(last.end)}`
}
