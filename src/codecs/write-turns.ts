import { isInstruction } from '../core/index.ts'
import { asUser, firstSpoken } from './place-instructions.ts'
import type { Draft, Saying } from './write-request.ts'

/** How a dialect writes what stands in two places: a system prompt of texts alone, and turns that the user begins. */
export interface TurnWriter {
  /** A text of the system prompt. */
  system(text: string, itemId: string): readonly string[]
  /** What somebody says in a turn, or the results of calls. */
  parts(saying: Saying): readonly string[]
  /** Whether a system message may stand at the end, and before words of the assistant. */
  readonly takesSystem?: boolean
  /** What the assistant says in the last turn, so that the model goes on from there; undefined where it does not. */
  goesOnFrom?(parts: readonly string[]): readonly string[] | undefined
}

/** What one side says in turn. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly string[]
}

export interface WrittenTurns {
  readonly system: readonly string[]
  readonly turns: readonly Turn[]
}

/** What the user says where the conversation has no word of the user's, and the provider wants one. */
const beginning = 'Begin.'
const goOn = 'Go on from there.'

/**
 * Writes a conversation for a dialect that has one system prompt, before everything, no names, and the results of a turn's calls in
 * one turn. Instructions that come later stay in their place, so that the provider's cache still has what stands before them.
 */
export function writeTurns(draft: Draft, writer: TurnWriter): WrittenTurns {
  const begins = firstSpoken(draft.sayings)
  const system = draft.sayings.slice(0, begins).flatMap((saying) => systemParts(draft, saying, writer))
  const turns = turnsOf(draft, draft.sayings.slice(begins), writer)
  return { system, turns: lastTurn(draft, firstTurn(draft, turns, writer), writer) }
}

function systemParts(draft: Draft, { role, pieces }: Saying, writer: TurnWriter): readonly string[] {
  return pieces.flatMap(({ item, text }): readonly string[] => {
    if (item.kind === 'media' || item.kind === 'opaque') {
      draft.lose(item.kind, item.id, 'a system prompt holds text only')
      return []
    }
    if (role === 'developer') draft.lose('role', item.id, 'a developer is the system here')
    return writer.system(text, item.id)
  })
}

/** Results of one message's calls have to stand in one turn. */
function turnsOf(draft: Draft, sayings: readonly Saying[], writer: TurnWriter): readonly Turn[] {
  const turns: { readonly role: Turn['role']; readonly from: string; readonly parts: string[] }[] = []
  let answers = false
  for (const [at, given] of sayings.entries()) {
    const saying = isSystemTurn(given, sayings[at + 1], writer) ? given : asUser(draft, given)
    const { role, messageId } = saying
    if (saying.name !== undefined) draft.lose('name', messageId, 'speakers have no names here')
    const parts = isInstruction(role) ? systemParts(draft, saying, writer) : writer.parts(saying)
    if (parts.length === 0) continue
    const last = turns.at(-1)
    const joins = last?.from === messageId || (answers && role === 'tool')
    answers = role === 'tool'
    if (joins) last?.parts.push(...parts)
    else turns.push({ role: turnRole(role), from: messageId, parts: [...parts] })
  }
  return turns
}

/** A system message is last, or an assistant's follows it. */
function isSystemTurn({ role }: Saying, next: Saying | undefined, { takesSystem }: TurnWriter): boolean {
  return takesSystem === true && isInstruction(role) && (next === undefined || next.role === 'assistant')
}

function turnRole(role: Saying['role']): Turn['role'] {
  if (isInstruction(role)) return 'system'
  return role === 'assistant' ? 'assistant' : 'user'
}

/** The user begins, if need be with a word of ours. */
function firstTurn(draft: Draft, turns: readonly Turn[], writer: TurnWriter): readonly Turn[] {
  if (turns[0]?.role === 'user') return turns
  draft.lose(
    'placement',
    turns.length === 0 ? 'system' : 'assistant',
    'the user has to begin, here with a word of ours',
  )
  return [{ role: 'user', parts: writer.system(beginning, '') }, ...turns]
}

/** The last words may be the assistant's where the model goes on from them. */
function lastTurn(draft: Draft, turns: readonly Turn[], writer: TurnWriter): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || writer.goesOnFrom === undefined) return turns
  const parts = writer.goesOnFrom(last.parts)
  if (parts !== undefined) return [...turns.slice(0, -1), { ...last, parts }]
  draft.lose('placement', 'assistant', 'the model does not go on from words of its own; the user asks it to')
  return [...turns, { role: 'user', parts: writer.system(goOn, '') }]
}
