import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskState } from './task-state.ts'
import { parseTaskState, subtaskStatuses, taskPhases, taskStateLines } from './task-state.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('a\nb', '"quoted"', 'done: no', '\r', ''))

/** Optional members are there, empty or absent. */
const anyState: fc.Arbitrary<TaskState> = fc.record(
  {
    objective: text,
    phase: fc.constantFrom(...taskPhases),
    subtasks: fc.array(fc.record({ title: text, status: fc.constantFrom(...subtaskStatuses) })),
    results: fc.array(text),
    pending: fc.array(text),
    error: text,
  },
  { requiredKeys: ['objective', 'phase'] },
)

const state: TaskState = {
  objective: 'A green build',
  phase: 'repair',
  subtasks: [
    { title: 'find the change', status: 'done' },
    { title: 'write a test', status: 'doing' },
  ],
  results: ['commit 1f2e broke it'],
  pending: ['run CI'],
  error: 'make: no rule\nfor all',
}

describe('task state', () => {
  it('P-012: one line per fact', () => {
    expect(taskStateLines(state)).toEqual([
      'objective: A green build',
      'phase: repair',
      'done: find the change',
      'doing: write a test',
      'result: commit 1f2e broke it',
      'pending: run CI',
      'error: "make: no rule\\nfor all"',
    ])
  })

  it('P-012: reads back the very state that it wrote, absent lists absent and empty ones empty, a fact a line', () => {
    fc.assert(
      fc.property(anyState, (given) => {
        const lines = taskStateLines(given)
        expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
        expect(parseTaskState(lines)).toEqual(given)
      }),
    )
  })

  it('P-012: is shorter than the same facts in prose', () => {
    const prose =
      'The objective is to get a green build. We are currently in the repair phase of the task. Finding the change is ' +
      'done, and writing a test is what is being done now. So far we have learnt that commit 1f2e broke it. It is still ' +
      'pending to run CI. The last attempt ended with the error "make: no rule for all".'
    const lines = taskStateLines(state).join('\n')
    const words = (some: string): number => some.split(/\s+/).length
    expect(lines.length).toBeLessThan(0.75 * prose.length)
    expect(words(lines)).toBeLessThan(0.75 * words(prose))
  })

  it('refuses lines that are not its own, by number', () => {
    for (const line of ['mood: good', 'phase: asleep', 'no colon', ''])
      expect(() => parseTaskState(['phase: act', line])).toThrow(/^lines\[1\]/)
  })
})
