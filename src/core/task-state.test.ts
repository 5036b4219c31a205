import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskState } from './task-state.ts'
import { parseTaskState, subtaskStatuses, taskPhases, taskStateLines } from './task-state.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('a\nb', '"quoted"', 'done: no', '\r', ''))

const anyState: fc.Arbitrary<TaskState> = fc.record({
  objective: text,
  phase: fc.constantFrom(...taskPhases),
  subtasks: fc.array(fc.record({ title: text, status: fc.constantFrom(...subtaskStatuses) })),
  results: fc.array(text),
  pending: fc.array(text),
})

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

  it('P-012: reads back what it wrote, whatever the texts are, each on one line', () => {
    fc.assert(
      fc.property(anyState, fc.option(text, { nil: undefined }), (some, error) => {
        const given = error === undefined ? some : { ...some, error }
        const lines = taskStateLines(given)
        expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
        expect(parseTaskState(lines)).toEqual(given)
      }),
    )
  })

  it('P-012: is shorter than the same in JSON', () => {
    expect(taskStateLines(state).join('\n').length).toBeLessThan(0.75 * JSON.stringify(state).length)
  })

  it('refuses lines that are not its own, by number', () => {
    for (const line of ['mood: good', 'phase: asleep', 'no colon', ''])
      expect(() => parseTaskState(['phase: act', line])).toThrow(/^lines\[1\]/)
  })
})
