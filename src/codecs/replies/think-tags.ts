import type { ReplyEvent } from '../../core/index.ts'

/** Where a text stands that may begin with reasoning between `<think>` and `</think>`. A value. */
export interface ThinkTags {
  readonly phase: 'before' | 'inside' | 'closed' | 'after'
  /** What may be the beginning of a tag. */
  readonly held: string
}

export const beforeThinking: ThinkTags = { phase: 'before', held: '' }

const [opening, closing] = ['<think>', '</think>']

export interface ThinkStep {
  readonly state: ThinkTags
  readonly events: readonly ReplyEvent[]
}

/**
 * Tells reasoning from text where servers of open models (DeepSeek R1, Qwen) leave the tags in: only at the very beginning,
 * for anywhere else somebody may be writing about them. Tags may be cut anywhere.
 */
export function thinkTags({ phase, held }: ThinkTags, text: string): ThinkStep {
  const all = held + text
  if (phase === 'after') return { state: { phase, held: '' }, events: said('text', all) }
  if (phase === 'inside') return inside(all)
  if (phase === 'closed') return answer(all)
  const begun = all.trimStart()
  if (begun.startsWith(opening)) return inside(begun.slice(opening.length))
  if (opening.startsWith(begun)) return { state: { phase, held: all }, events: [] }
  return { state: { phase: 'after', held: '' }, events: said('text', all) }
}

function inside(all: string): ThinkStep {
  const end = all.indexOf(closing)
  if (end >= 0) {
    const { state, events } = answer(all.slice(end + closing.length))
    return { state, events: [...said('reasoning', all.slice(0, end)), ...events] }
  }
  const kept = tagAtEnd(all)
  const held = all.slice(all.length - kept)
  return { state: { phase: 'inside', held }, events: said('reasoning', all.slice(0, all.length - kept)) }
}

/** The answer begins behind the empty lines that follow the tag. */
function answer(all: string): ThinkStep {
  const text = all.replace(/^\n+/, '')
  return { state: { phase: text === '' ? 'closed' : 'after', held: '' }, events: said('text', text) }
}

/** Characters at the end of a text that may begin the closing tag. */
function tagAtEnd(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(closing.slice(0, length))) return length
  return 0
}

/** What was held when nothing more comes: reasoning that was never closed is reasoning still. */
export function restOfThinking({ phase, held }: ThinkTags): readonly ReplyEvent[] {
  return said(phase === 'inside' ? 'reasoning' : 'text', held)
}

function said(kind: 'text' | 'reasoning', text: string): readonly ReplyEvent[] {
  return text === '' ? [] : [{ kind, text }]
}
