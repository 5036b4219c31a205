import { invalidInput } from './errors.ts'

export const subtaskStatuses = ['todo', 'doing', 'done', 'failed', 'dropped'] as const
/** The status of a subtask. */
export type SubtaskStatus = (typeof subtaskStatuses)[number]

export const taskPhases = ['plan', 'act', 'verify', 'critique', 'repair', 'commit'] as const
/** Where a task stands in its loop. */
export type TaskPhase = (typeof taskPhases)[number]

/** What an agent knows about its task, made anew every turn. */
export interface TaskState {
  readonly objective: string
  readonly phase: TaskPhase
  readonly subtasks?: readonly { readonly title: string; readonly status: SubtaskStatus }[]
  readonly results?: readonly string[]
  readonly pending?: readonly string[]
  readonly error?: string
}

const listNames = ['subtasks', 'results', 'pending'] as const

/** One fact per line, `word: text`; lines are read back by `parseTaskState`. A list that is known to be empty says so. */
export function taskStateLines(state: TaskState): readonly string[] {
  return [
    `objective: ${oneLine(state.objective)}`,
    `phase: ${state.phase}`,
    ...(state.subtasks ?? []).map(({ status, title }) => `${status}: ${oneLine(title)}`),
    ...(state.results ?? []).map((text) => `result: ${oneLine(text)}`),
    ...(state.pending ?? []).map((text) => `pending: ${oneLine(text)}`),
    ...listNames.filter((name) => state[name]?.length === 0).map((name) => `none: ${name}`),
    ...(state.error === undefined ? [] : [`error: ${oneLine(state.error)}`]),
  ]
}

/** Gives the same state again. Throws `invalid-input` that names the line that is none of a task state's. */
export function parseTaskState(lines: readonly string[]): TaskState {
  const state: { -readonly [Name in keyof TaskState]: TaskState[Name] } = { objective: '', phase: 'plan' }
  for (const [index, line] of lines.entries()) {
    const colon = line.indexOf(': ')
    const word = line.slice(0, colon)
    const text = readBack(line.slice(colon + 2))
    if (word === 'objective') state.objective = text
    else if (word === 'phase' && isOneOf(taskPhases, text)) state.phase = text
    else if (isOneOf(subtaskStatuses, word)) state.subtasks = [...(state.subtasks ?? []), { title: text, status: word }]
    else if (word === 'result') state.results = [...(state.results ?? []), text]
    else if (word === 'pending') state.pending = [...(state.pending ?? []), text]
    else if (word === 'none' && isOneOf(listNames, text)) state[text] = []
    else if (word === 'error') state.error = text
    else throw invalidInput(`lines[${index}]`, 'is not a line of a task state', 'Give lines made by taskStateLines.')
  }
  return state
}

/** As it is, unless a reader could take it for something else. */
function oneLine(text: string): string {
  return /[\r\n]|^"/.test(text) ? JSON.stringify(text) : text
}

function readBack(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

function isOneOf<Word extends string>(words: readonly Word[], text: string): text is Word {
  return (words as readonly string[]).includes(text)
}
