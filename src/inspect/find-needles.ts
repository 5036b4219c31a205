import type { TraceMessage } from './trace.ts'

/** A row of a needle file, without the id of its trace. */
export interface FoundNeedle {
  readonly step: number
  readonly needle: string
  /** The last sources, at most twenty. */
  readonly src: readonly number[]
  readonly n_src: number
}

const maxSources = 20
const word = /[\p{L}\d_][\p{L}\d_./-]*[\p{L}\d_]/gu
const shortest = 8

/**
 * Needles of a session: identifiers and paths in the arguments of a step's tool calls that stood before in tool output
 * and nowhere else, neither in what people wrote nor in what the agent did.
 */
export function findNeedles(messages: readonly TraceMessage[]): readonly FoundNeedle[] {
  return messages.flatMap((message, step) => {
    if (message.role !== 'assistant') return []
    const earlier = messages.slice(0, step)
    const spoken = earlier.map((before) => textOf(before, false)).join('\n')
    return candidates(message).flatMap((needle): readonly FoundNeedle[] => {
      const src = earlier.flatMap((before, index) => (textOf(before, true).includes(needle) ? [index] : []))
      if (src.length === 0 || spoken.includes(needle)) return []
      return [{ step, needle, src: src.slice(-maxSources), n_src: src.length }]
    })
  })
}

function candidates(message: TraceMessage): readonly string[] {
  const given = message.items.filter((item) => item.kind === 'tool-call').map((item) => stringsIn(item.text))
  const words = given.join('\n').match(word) ?? []
  return [...new Set(words)].filter((text) => text.length >= shortest && isName(text)).toSorted()
}

/** An identifier or a path: joined from parts, not a plain word or a number. */
function isName(text: string): boolean {
  return /\p{L}/u.test(text) && (/[._/-]/.test(text) || /\p{Ll}\p{Lu}/u.test(text))
}

/** The strings of a JSON text, as the tool got them. */
function stringsIn(json: string): string {
  const found: string[] = []
  try {
    JSON.parse(json, (_key, value: unknown) => {
      if (typeof value === 'string') found.push(value)
      return value
    })
  } catch {
    return json
  }
  return found.join('\n')
}

function textOf(message: TraceMessage, observed: boolean): string {
  return message.items
    .filter((item) => (item.kind === 'tool-result') === observed)
    .map((item) => (item.kind === 'tool-call' ? stringsIn(item.text) : item.text))
    .join('\n')
}
