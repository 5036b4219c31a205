import type { TaskState } from '../core/index.ts'
import { invalidInput, subtaskStatuses, taskPhases } from '../core/index.ts'

/** Throws `invalid-input` that names the first field of the state that is not what it should be. */
export function validateTaskState(state: TaskState): void {
  if (typeof state !== 'object' || state === null || typeof state.objective !== 'string')
    throw invalidInput('frame.state.objective', 'is not a text', 'Say what is to be reached, or leave the state out.')
  if (!taskPhases.includes(state.phase))
    throw invalidInput('frame.state.phase', 'is unknown', `Use one of ${taskPhases.join(', ')}.`)
  const { subtasks = [], error } = state
  if (
    !Array.isArray(subtasks) ||
    !subtasks.every((one) => typeof one?.title === 'string' && subtaskStatuses.includes(one.status))
  )
    throw invalidInput('frame.state.subtasks', 'is not a list of subtasks', 'Give each a title and a status.')
  for (const name of ['results', 'pending'] as const)
    if (!isTexts(state[name]))
      throw invalidInput(`frame.state.${name}`, 'is not a list of texts', 'Give one text per entry.')
  if (error !== undefined && typeof error !== 'string')
    throw invalidInput('frame.state.error', 'is not a text', 'Give a text, or leave it out.')
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((text) => typeof text === 'string'))
}
