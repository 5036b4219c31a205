import type { Item } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import { termsOf } from '../../knowledge/index.ts'
import { openTasks } from '../items/task-list.ts'

/** What a conversation is at: what the user said last and the tasks on the model's list that are not done. */
export interface Asked {
  readonly text: string
  /** The words as they stand, in lower case. */
  readonly words: ReadonlySet<string>
  /** Their stems; of scripts without blanks every two neighbouring characters. */
  readonly terms: ReadonlySet<string>
  /** The names of programs and of files, in lower case. */
  readonly names: ReadonlySet<string>
  /** Index of the user's message; -1 where there is none. */
  readonly at: number
}

const mostAsked = 8000
/** Of longer requests the first ones. */
const mostTerms = 160
const mostNames = 40

export function askedIn(items: readonly Item[], facts: FactReader): Asked {
  const at = items.findLastIndex(({ kind, role }) => kind === 'text' && role === 'user')
  const text = [(items[at]?.text ?? '').slice(0, mostAsked), ...openTasks(items)].join('\n')
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,60}/gu))
  const names = new Set(
    facts
      .namesIn(text)
      .map((name) => name.toLowerCase())
      .slice(0, mostNames),
  )
  return { text, words, names, terms: new Set(termsOf(text).filter(tells).slice(0, mostTerms)), at }
}

function tells(term: string): boolean {
  return term.length > 2 || /[^\u0000-\u02ff]{2}/.test(term)
}
