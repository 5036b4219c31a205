import { isJsonObject } from '../../core/index.ts'
import type { Item, JsonValue } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import { termsOf } from '../../knowledge/index.ts'

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

const listNames = ['todos', 'plan', 'tasks', 'items', 'steps'] as const
const textNames = ['content', 'step', 'title', 'text', 'task', 'description'] as const
const closed = /^(?:completed?|done|cancell?ed|finished|closed|skipped)$/i

/** The open entries of the newest list of tasks that a call has written. */
export function openTasks(items: readonly Item[]): readonly string[] {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at]
    if (item?.kind !== 'tool-call' || !/"(?:status|state)"/.test(item.text)) continue
    const tasks = tasksIn(item.text)
    if (tasks !== undefined) return tasks
  }
  return []
}

function tasksIn(json: string): readonly string[] | undefined {
  const given = valueOf(json)
  if (!isJsonObject(given)) return undefined
  const list = listNames.map((name) => given[name]).find((value) => Array.isArray(value) && value.some(isTask))
  if (!Array.isArray(list)) return undefined
  return list.flatMap((task) => {
    if (!isJsonObject(task) || closed.test(String(task['status'] ?? task['state'] ?? ''))) return []
    const said = textNames.map((name) => task[name]).find((value) => typeof value === 'string')
    return typeof said === 'string' ? [said.slice(0, 400)] : []
  })
}

function isTask(value: JsonValue): boolean {
  return isJsonObject(value) && (value['status'] !== undefined || value['state'] !== undefined)
}

function valueOf(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return undefined
  }
}
