import { isJsonObject } from '../../core/index.ts'
import type { Item, JsonValue } from '../../core/index.ts'

export interface Task {
  /** On one line. */
  readonly text: string
  readonly state: 'open' | 'active' | 'done' | 'dropped'
}

/**
 * The list of tasks that a call writes, such as `{"todos": [{"content": "Test it", "status": "pending"}]}`; undefined where it writes none. A
 * call writes a list if its tool is named for that, or if a member that is named for that holds tasks with a state.
 */
export function taskListOf({ kind, toolName = '', text }: Item): readonly Task[] | undefined {
  if (kind !== 'tool-call') return undefined
  const isListTool = listTool.test(toolName)
  if (!isListTool && !statesSomething.test(text)) return undefined
  const given = valueOf(text)
  if (!isJsonObject(given)) return undefined
  const named = listNames.map((name) => given[name]).find((value) => isListOf(value, hasState))
  const list = named ?? (isListTool ? Object.values(given).find((value) => isListOf(value, isJsonObject)) : undefined)
  return Array.isArray(list) ? (list as readonly JsonValue[]).flatMap(taskIn) : undefined
}

/** The open entries of the newest list of tasks. */
export function openTasks(items: readonly Item[]): readonly string[] {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at]
    const tasks = item && taskListOf(item)
    if (tasks !== undefined) return tasks.flatMap(({ text, state }) => (isOpen(state) ? [text] : []))
  }
  return []
}

function isOpen(state: Task['state']): boolean {
  return state === 'open' || state === 'active'
}

const listTool = /todo|update_?plan|(?:write|set|update)_?tasks?|task_?list|(?:^|_)plan(?:$|_)/i
const statesSomething = /"(?:status|state)"/
const listNames = ['todos', 'plan', 'tasks', 'items', 'steps'] as const
const textNames = ['content', 'step', 'title', 'text', 'task', 'description', 'subject'] as const
const states: readonly (readonly [RegExp, Task['state']])[] = [
  [/^(?:completed?|done|finished|closed)$/i, 'done'],
  [/^(?:in[_ -]?progress|active|doing|started)$/i, 'active'],
  [/^(?:cancell?ed|skipped)$/i, 'dropped'],
]

/** In characters. */
const longest = 400

function taskIn(value: JsonValue): readonly Task[] {
  if (!isJsonObject(value)) return []
  const said = textNames.map((name) => value[name]).find((member) => typeof member === 'string')
  if (typeof said !== 'string') return []
  const stated = String(value['status'] ?? value['state'] ?? (value['done'] === true ? 'done' : ''))
  const state = states.find(([form]) => form.test(stated))?.[1] ?? 'open'
  return [{ text: said.replaceAll(/\s+/g, ' ').trim().slice(0, longest).toWellFormed(), state }]
}

function isListOf(value: JsonValue | undefined, isOne: (one: JsonValue) => boolean): boolean {
  return Array.isArray(value) && (value as readonly JsonValue[]).some(isOne)
}

function hasState(value: JsonValue): boolean {
  return isJsonObject(value) && (value['status'] !== undefined || value['state'] !== undefined)
}

function valueOf(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return undefined
  }
}
