import { isInstruction } from '../core/index.ts'
import { isOpenaiModel } from './openai-models.ts'
import type { Draft, Piece, Saying } from './write-request.ts'

/**
 * The sayings of a conversation for a server of OpenAI's dialects. OpenAI takes instructions anywhere; templates of other models take one
 * system message, the first, so that those which come later are words of the user in their place.
 */
export function placedInstructions(draft: Draft): readonly Saying[] {
  if (isOpenaiModel(draft.conversation.model)) return draft.sayings
  const begins = firstSpoken(draft.sayings)
  const front = draft.sayings.slice(0, begins)
  const rest = draft.sayings.slice(begins).map((saying) => asUser(draft, saying))
  const [first] = front
  if (first === undefined) return rest
  for (const { role, pieces } of front)
    if (role === 'developer')
      for (const { item } of pieces) draft.lose('role', item.id, 'a developer is the system here')
  return [{ ...first, role: 'system', pieces: front.flatMap(({ pieces }) => pieces) }, ...rest]
}

/** The place of the first saying that is no instruction. */
export function firstSpoken(sayings: readonly Saying[]): number {
  const begins = sayings.findIndex(({ role }) => !isInstruction(role))
  return begins < 0 ? sayings.length : begins
}

/** An instruction as words of the user, who quotes it; other sayings as they are. */
export function asUser(draft: Pick<Draft, 'lose'>, saying: Saying): Saying {
  if (!isInstruction(saying.role)) return saying
  for (const { item } of saying.pieces)
    draft.lose('role', item.id, 'an instruction in the midst is words of the user here')
  return { ...saying, role: 'user', pieces: saying.pieces.map(quoted) }
}

/** What stands around an instruction that the user says. */
export const systemWords = { opens: '<system>\n', closes: '\n</system>' }

function quoted({ item, text }: Piece): Piece {
  if (item.kind === 'media' || item.kind === 'opaque') return { item, text }
  return { item: { ...item, role: 'user', kind: 'text' }, text: `${systemWords.opens}${text}${systemWords.closes}` }
}
