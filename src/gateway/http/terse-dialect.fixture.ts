import type { Codec, SpliceState, StreamState } from '../../codecs/index.ts'
import type { WireExchange, Item, ModelReply } from '../../core/index.ts'
import { PrehendError, invalidInput, isJsonObject } from '../../core/index.ts'

const initial: StreamState = { ended: false }

/** A dialect of one file: `POST /terse/MODEL` with `{"lines": ["…"]}`, answered by `{"line": "…"}`. */
export const terse: Codec = {
  dialect: 'terse',
  signs: {
    provider: 'terse',
    routes: [{ method: 'POST', path: '/terse/{model}', kind: 'messages' }],
    likeness: (body) => (Array.isArray(body['lines']) ? 2 : 0),
  },
  decode({ path = '', headers = {}, body }): WireExchange {
    const items = linesOf(body).map((text, index): Item => {
      return { id: `line${index}`, section: 'history', kind: 'text', role: 'user', text }
    })
    const model = path.split('/').at(-1) ?? ''
    const messages = items.map(({ id }) => ({ id: `@${id}`, role: 'user' as const, itemIds: [id] }))
    return {
      wire: { dialect: 'terse', path, headers, body, markers: [], acceptsTool: false, keepsTool: false },
      conversation: { model, stream: false, messages, items, tools: [], sampling: {} },
    }
  },
  encode: ({ wire, conversation }, { pack }) => {
    const shown = pack?.entries.map(({ text }) => text) ?? conversation.items.map(({ text }) => text)
    const same = JSON.stringify(shown) === JSON.stringify(linesOf(wire.body))
    return same ? wire.body : JSON.stringify({ lines: shown })
  },
  orderTools: ({ wire }) => wire.body,
  unlistTools: ({ wire }) => wire.body,
  calls: { argumentsMember: 'arguments', inRequest: () => [], inReply: () => [], inStream: () => () => [] },
  rawItem: (exchange, itemId) => {
    const item = exchange.conversation.items.find(({ id }) => id === itemId)
    return item && JSON.stringify(item.text)
  },
  mediaUrl: () => undefined,
  write: ({ items }) => ({ body: JSON.stringify({ lines: items.map(({ text }) => text) }), lost: [] }),
  decodeReply: (body) => replyOf(String(JSON.parse(body).line)),
  usageOf: () => undefined,
  reducer: () => ({ initial, step: (state) => state, skim: (state) => state, reply: () => replyOf('') }),
  splicer: () => ({
    begin: () => spliced,
    step: (state, event) => ({ state, forward: [event] }),
    close: (state) => ({ state, forward: [] }),
    resume: (state) => state,
    hiding: (state) => state,
    finish: () => [],
  }),
  endOf: (reply) => ({ reply, hiddenCalls: [], mustContinue: false }),
  mergeReplies: (bodies) => bodies.at(-1) ?? '',
  hiddenMessages: () => [],
  hiddenTurn: () => undefined,
  overlayOf: () => [],
  restore: (body) => ({ body, placed: [], lost: [] }),
  textPlaces: {
    inEvent: () => [],
    foreign: () => undefined,
    endedLanes: () => [],
    addition: (_, text, like) => ({ ...like, data: text }),
    inReply: () => [],
  },
  carried: new Set(['lines']),
  pathTo: ({ model }) => `/terse/${model}`,
  replyReader: {
    whole: (body) => [
      { kind: 'text', text: replyOf(String(JSON.parse(body).line)).text },
      { kind: 'end', reason: 'end' },
    ],
    initial,
    step: (state) => ({ state, events: [] }),
    close: () => [],
  },
  replyParts: () => [],
  citations: () => [],
  replyWriter: {
    whole: ({ text }) => JSON.stringify({ line: text }),
    begin: (frame) => ({ frame }),
    step: (state) => ({ state, events: [] }),
  },
  encodeError: ({ message }) => JSON.stringify({ no: message }),
  encodeStreamError: ({ message }) => [{ data: message }],
}

const spliced: SpliceState = { held: false }

function linesOf(body: string): readonly string[] {
  const parsed: unknown = JSON.parse(body)
  const lines = isJsonObject(parsed) ? parsed['lines'] : undefined
  if (!Array.isArray(lines)) throw invalidInput('lines', 'missing', 'Send a list of lines.')
  return lines.map(String)
}

function replyOf(text: string): ModelReply {
  return { text, toolCalls: [] }
}

/** An error, to be said in this dialect. */
export const tooBig = new PrehendError('body-too-large', 'too big', {
  limitBytes: 1,
  field: 'body',
  remedy: 'Send less.',
})
