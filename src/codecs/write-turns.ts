import { isInstruction } from '../core/index.ts'
import { cannotEncode } from './cannot-encode.ts'
import type { Draft, Saying } from './write-request.ts'

/** How a dialect writes what stands in two places: a system prompt of texts alone, and turns that the user begins. */
export interface TurnWriter {
  /** A text of the system prompt. */
  system(text: string, itemId: string): readonly string[]
  /** What somebody says in a turn, or the results of calls. */
  parts(saying: Saying): readonly string[]
}

/** What one side says in turn. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly string[]
}

export interface WrittenTurns {
  readonly system: readonly string[]
  readonly turns: readonly Turn[]
}

/**
 * Writes a conversation for a dialect that has one system prompt, before everything, no names, and the results of a turn's calls in
 * one turn. Throws `invalid-input` where the user does not begin.
 */
export function writeTurns(draft: Draft, writer: TurnWriter): WrittenTurns {
  const begins = draft.sayings.findIndex(({ role }) => !isInstruction(role))
  const system = draft.sayings.flatMap((saying, at) =>
    isInstruction(saying.role) ? systemParts(draft, saying, { writer, isLate: begins >= 0 && at > begins }) : [],
  )
  const turns = turnsOf(draft, writer)
  if (turns[0]?.role !== 'user')
    throw cannotEncode('the conversation does not begin with the user', 'Put the words of the user before it.')
  return { system, turns }
}

interface SystemPlace {
  readonly writer: TurnWriter
  readonly isLate: boolean
}

function systemParts(draft: Draft, { role, pieces }: Saying, { writer, isLate }: SystemPlace): readonly string[] {
  return pieces.flatMap(({ item, text }): readonly string[] => {
    if (item.kind === 'media' || item.kind === 'opaque') {
      draft.lose(item.kind, item.id, 'a system prompt holds text only')
      return []
    }
    if (role === 'developer') draft.lose('role', item.id, 'a developer is the system here')
    if (isLate) draft.lose('placement', item.id, 'the system prompt comes before all messages')
    return writer.system(text, item.id)
  })
}

/** Results of one message's calls have to stand in one turn. */
function turnsOf(draft: Draft, writer: TurnWriter): readonly Turn[] {
  const turns: { readonly role: Turn['role']; readonly from: string; readonly parts: string[] }[] = []
  let answers = false
  for (const saying of draft.sayings) {
    if (isInstruction(saying.role)) continue
    const { role, messageId } = saying
    if (saying.name !== undefined) draft.lose('name', messageId, 'speakers have no names here')
    const parts = writer.parts(saying)
    if (parts.length === 0) continue
    const last = turns.at(-1)
    const joins = last?.from === messageId || (answers && role === 'tool')
    answers = role === 'tool'
    if (joins) last?.parts.push(...parts)
    else turns.push({ role: role === 'assistant' ? 'assistant' : 'user', from: messageId, parts: [...parts] })
  }
  return turns
}
