import type { StepFrame, TaskState } from '../../core/index.ts'

/** Newest results of the task so far that stay. */
const keptResults = 3
const keptCharacters = 200

/**
 * A frame whose notes on the way are short: of results so far the newest, each by its beginning, and of subtasks those that are not over.
 * Goal, step, limits, constraints, acceptance and request are not notes. Undefined where there is nothing to tighten.
 */
export function tightenedFrame(frame: StepFrame | undefined): StepFrame | undefined {
  const state = frame?.state
  if (frame === undefined || state === undefined) return undefined
  const results = tightResults(state.results)
  const subtasks = tightSubtasks(state.subtasks)
  if (results === state.results && subtasks === state.subtasks) return undefined
  return { ...frame, state: { ...state, ...(results && { results }), ...(subtasks && { subtasks }) } }
}

function tightResults(results: TaskState['results']): TaskState['results'] {
  if (results === undefined) return undefined
  const earlier = Math.max(0, results.length - keptResults)
  const isShort = earlier === 0 && results.every(({ length }) => length <= keptCharacters)
  if (isShort) return results
  const newest = results.slice(earlier).map(clipped)
  return earlier === 0 ? newest : [`(${earlier} earlier not shown)`, ...newest]
}

function clipped(text: string): string {
  return text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters).toWellFormed()}…`
}

function tightSubtasks(subtasks: TaskState['subtasks']): TaskState['subtasks'] {
  if (subtasks === undefined) return undefined
  const open = subtasks.filter(({ status }) => status !== 'done' && status !== 'dropped')
  const over = subtasks.length - open.length
  return over < 2 ? subtasks : [{ title: `(${over} subtasks, not shown)`, status: 'done' }, ...open]
}
