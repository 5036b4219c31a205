import type { Content, GenerateResult, StreamPart } from './types.ts'

type FinishPart = Extract<StreamPart, { readonly type: 'finish' }>
type CallPart = Extract<StreamPart, { readonly type: 'tool-call' }>

/** Reads the stream of one round. */
export interface RoundReader {
  /** What of a part the caller gets now. */
  take(part: StreamPart): readonly StreamPart[]
  /** How the round ended, held back until it is known whether another follows. */
  finish(): FinishPart | undefined
  /** The provider said in the stream that it failed. */
  failure(): { readonly error: unknown } | undefined
  /** The whole reply; undefined where the stream was cut. */
  result(): Pick<GenerateResult, 'content' | 'finishReason' | 'usage'> | undefined
  /** The parts by which a call was streamed, with what its input is now. */
  callParts(call: CallPart): readonly StreamPart[]
}

/** Ids of later rounds must not be those of the first. */
export function roundReader(round: number): RoundReader {
  const content: Content[] = []
  /** Text and reasoning that is being written, by id. */
  const open = new Map<string, number>()
  const inputs = new Map<string, StreamPart[]>()
  let finish: FinishPart | undefined
  let failure: { readonly error: unknown } | undefined
  const named = (part: StreamPart & { readonly id: string }): StreamPart =>
    round === 0 ? part : ({ ...part, id: `${round}:${part.id}` } as StreamPart)

  const words = (part: WordsPart): readonly StreamPart[] => {
    const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const key = `${kind}:${part.id}`
    const at = open.get(key) ?? content.push({ type: kind, text: '' }) - 1
    open.set(key, at)
    const { providerMetadata } = part
    const text = 'delta' in part ? part.delta : ''
    const before = content[at]
    if (before?.type === 'text' || before?.type === 'reasoning')
      content[at] = { ...before, text: before.text + text, ...(providerMetadata && { providerMetadata }) }
    if (part.type.endsWith('-end')) open.delete(key)
    return [named(part)]
  }

  const input = (part: InputPart): readonly StreamPart[] => {
    const held = inputs.get(part.id)
    if (held) held.push(part)
    else if (part.type === 'tool-input-start' && part.providerExecuted !== true) inputs.set(part.id, [part])
    else return [part]
    return []
  }

  return {
    finish: () => finish,
    failure: () => failure,
    result: () => finish && { content, finishReason: finish.finishReason, usage: finish.usage },
    take(part) {
      if (isWords(part)) return words(part)
      if (isInput(part)) return input(part)
      if (part.type === 'finish') {
        finish = part
        return []
      }
      if (part.type === 'error') failure = { error: part.error }
      if (isContent(part)) content.push(part)
      if (part.type === 'tool-call' && part.providerExecuted !== true) return []
      return round > 0 && onlyOnce.has(part.type) ? [] : [part]
    },
    callParts(call) {
      const held = inputs.get(call.toolCallId) ?? []
      const streamed = held.map((part) => ('delta' in part ? part.delta : '')).join('')
      if (streamed === call.input || held.length === 0) return [...held, call]
      const [start] = held
      const { toolCallId: id, input: delta } = call
      return [...(start ? [start] : []), { type: 'tool-input-delta', id, delta }, { type: 'tool-input-end', id }, call]
    },
  }
}

const onlyOnce: ReadonlySet<StreamPart['type']> = new Set(['stream-start', 'response-metadata'])
const contents: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'file',
  'reasoning-file',
  'source',
  'custom',
])

type WordsPart = Extract<StreamPart, { readonly type: `text-${string}` | `reasoning-${'start' | 'delta' | 'end'}` }>
type InputPart = Extract<StreamPart, { readonly type: `tool-input-${string}` }>

function isWords(part: StreamPart): part is WordsPart {
  return /^(?:text|reasoning)-(?:start|delta|end)$/.test(part.type)
}

function isInput(part: StreamPart): part is InputPart {
  return part.type.startsWith('tool-input-')
}

function isContent(part: StreamPart): part is StreamPart & Content {
  return contents.has(part.type)
}
