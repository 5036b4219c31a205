import type { ItemKind } from '../../core/index.ts'
import { perObject } from '../../core/index.ts'
import type { RenderedMessage } from '../render.ts'
import type { TraceMessage } from '../trace.ts'

/** Who put a text into a conversation: a tool, the agent in a call, or somebody in words. */
export type Voice = 'observed' | 'called' | 'said'

export function voiceOf(kind: ItemKind): Voice {
  if (kind === 'tool-result') return 'observed'
  return kind === 'tool-call' ? 'called' : 'said'
}

/** What of a message was put there by one voice, as a reader takes it: the strings of a call, not its JSON. */
export function textBy(message: TraceMessage, voice: Voice): string {
  return message.items
    .filter(({ kind }) => voiceOf(kind) === voice)
    .map(({ kind, text }) => readText(kind, text))
    .join('\n')
}

/** The text of a part as a reader takes it. */
export function readText(kind: ItemKind, text: string): string {
  return kind === 'tool-call' ? stringsIn(text) : text
}

/** The strings of a JSON text, as a tool gets them. */
export function stringsIn(json: string): string {
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

/** What a sent message says, as a reader takes it, whole and by lines. */
export const shownText = perObject(
  ({ parts }: RenderedMessage): { readonly text: string; readonly lines: ReadonlySet<string> } => {
    const text = parts.map((part) => readText(part.kind, part.writtenOut ?? part.text)).join('\n')
    return { text, lines: new Set(text.split('\n')) }
  },
)
