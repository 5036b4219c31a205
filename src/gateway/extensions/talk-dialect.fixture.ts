import type { Item, ModelReply, WireExchange } from '../../core/index.ts'
import type { Codec, SpliceState, SseEvent, StreamState } from '../../codecs/index.ts'
import type { Extension } from './additions.ts'

/** A line of a talk: a call has `tool` and `call`, its result `call` alone. */
interface Line {
  readonly who: 'user' | 'model' | 'tool'
  readonly says: string
  readonly tool?: string
  readonly call?: string
}

interface Talk {
  readonly talk: readonly Line[]
  readonly stream?: boolean
  /** Where no path names it. */
  readonly model?: string
}

interface Heard extends StreamState {
  readonly text: string
  readonly usage?: { readonly in: number; readonly out: number }
}

const roles = { user: 'user', model: 'assistant', tool: 'tool' } as const
const spliced: SpliceState = { held: false }
const silence: Heard = { ended: false, text: '' }

/** A dialect in one file: `POST /talk/MODEL` with `{"talk": [{"who": "user", "says": "…"}]}`, answered by `{"says": "…"}` or a stream of `{"piece": "…"}`. */
const talk: Codec = {
  dialect: 'talk',
  signs: {
    provider: 'talk',
    routes: [{ method: 'POST', path: '/talk/{model}', kind: 'messages' }],
    likeness: (body) => (Array.isArray(body['talk']) ? 2 : 0),
  },
  decode({ path, headers = {}, body }): WireExchange {
    const { talk: lines, stream = false, model = '' } = read(body)
    const items = lines.map(itemOf)
    return {
      wire: {
        dialect: 'talk',
        path: path ?? `/talk/${model}`,
        headers,
        body,
        markers: [],
        acceptsTool: false,
        keepsTool: false,
      },
      conversation: {
        model: path?.split('?', 1)[0]?.split('/').at(-1) ?? model,
        stream,
        messages: items.map(({ id, role = 'user' }) => ({ id: `m-${id}`, role, itemIds: [id] })),
        items,
        tools: [],
        sampling: {},
      },
    }
  },
  encode({ wire }, { pack }) {
    if (pack === undefined) return wire.body
    const shown = new Map(pack.entries.map(({ itemId, text }) => [itemId, text]))
    const { talk: lines, ...rest } = read(wire.body)
    const sent = lines.flatMap((line, index) => {
      const says = shown.get(`line${index}`)
      return says === undefined ? [] : [{ ...line, says }]
    })
    return JSON.stringify(sent) === JSON.stringify(lines) ? wire.body : JSON.stringify({ talk: sent, ...rest })
  },
  orderTools: ({ wire }) => wire.body,
  unlistTools: ({ wire }) => wire.body,
  calls: { argumentsMember: 'arguments', inRequest: () => [], inReply: () => [], inStream: () => () => [] },
  rawItem: ({ conversation }, itemId) => {
    const item = conversation.items.find(({ id }) => id === itemId)
    return item && JSON.stringify(item.text)
  },
  mediaUrl: () => undefined,
  write: ({ items, stream }) => ({ body: JSON.stringify({ talk: items.map(lineOf), stream }), lost: [] }),
  pathTo: ({ model }) => `/talk/${model}`,
  decodeReply(body) {
    const { says, used } = JSON.parse(body) as { readonly says: string; readonly used?: Heard['usage'] }
    return replyOf({ ended: true, text: says, ...(used && { usage: used }) })
  },
  usageOf: (body) => talk.decodeReply(body).usage,
  reducer: () => ({
    initial: silence,
    step: (state, event) => heard(state as Heard, event),
    skim: (state, event) => heard(state as Heard, event),
    reply: (state) => replyOf(state as Heard),
  }),
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
    addition: (_, text, like) => ({ ...like, data: JSON.stringify({ piece: text }) }),
    inReply: () => [],
  },
  carried: new Set(['talk', 'stream']),
  replyReader: {
    whole: (body) => [
      { kind: 'text', text: talk.decodeReply(body).text },
      { kind: 'end', reason: 'end' },
    ],
    initial: silence,
    step(state, event) {
      const next = heard(state as Heard, event)
      const text = next.text.slice((state as Heard).text.length)
      const end = next.ended ? [{ kind: 'end', reason: 'end' } as const] : []
      return { state: next, events: [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...end] }
    },
    close: ({ ended }) => (ended ? [] : [{ kind: 'failed', failure: { type: 'truncated', message: 'cut off' } }]),
  },
  replyWriter: {
    whole: ({ text }) => JSON.stringify({ says: text }),
    begin: (frame) => ({ frame }),
    step: (state, event) => ({ state, events: written(event) }),
  },
  replyParts: () => [],
  citations: () => [],
  encodeError: ({ message }) => JSON.stringify({ no: message }),
  encodeStreamError: ({ message }) => [{ data: JSON.stringify({ no: message }) }],
}

function read(body: string): Talk {
  const value = JSON.parse(body) as Partial<Talk>
  return { ...value, talk: value.talk ?? [] }
}

function itemOf({ who, says, tool, call }: Line, index: number): Item {
  const kind = call === undefined ? 'text' : who === 'tool' ? 'tool-result' : 'tool-call'
  return {
    id: `line${index}`,
    section: 'history',
    kind,
    role: roles[who],
    text: says,
    ...(tool !== undefined && { toolName: tool }),
    ...(call !== undefined && { toolCallId: call }),
  }
}

function lineOf({ role, text, toolName, toolCallId }: Item): Line {
  const who = role === 'assistant' ? 'model' : role === 'tool' ? 'tool' : 'user'
  return { who, says: text, ...(toolName && { tool: toolName }), ...(toolCallId && { call: toolCallId }) }
}

function heard(state: Heard, { data }: SseEvent): Heard {
  if (data === '') return state
  const { piece = '', over } = JSON.parse(data) as { readonly piece?: string; readonly over?: Heard['usage'] }
  return { ...state, text: state.text + piece, ...(over && { usage: over, ended: true }) }
}

function replyOf({ ended, text, usage }: Heard): ModelReply {
  return {
    text,
    toolCalls: [],
    ...(usage && { usage: { inputTokens: usage.in, outputTokens: usage.out } }),
    ...(!ended && { failure: { type: 'truncated', message: 'The stream was cut off.' } }),
  }
}

function written(event: Parameters<Codec['replyWriter']['step']>[1]): readonly SseEvent[] {
  if (event.kind === 'text') return [{ data: JSON.stringify({ piece: event.text }) }]
  return event.kind === 'end' ? [{ data: JSON.stringify({ over: { in: 0, out: 0 } }) }] : []
}

export const talking = {
  name: 'talking',
  specificationVersion: 1,
  open: () => ({ dialects: [talk] as const }),
} satisfies Extension
