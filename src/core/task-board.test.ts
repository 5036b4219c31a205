import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimStep, claimable, finishStep, releaseStep, taskBoard } from './index.ts'
import type { TaskBoard } from './index.ts'

const plan = {
  taskId: 'release',
  goal: 'A release',
  steps: [
    { id: 'build', goal: 'Build it', checklist: ['It builds'] },
    { id: 'test', goal: 'Test it', checklist: ['All pass'], needs: ['build'] },
    { id: 'note', goal: 'Write notes', checklist: ['They name each change'] },
  ],
}
const ids = (board: TaskBoard): readonly string[] => claimable(board).map(({ id }) => id)

describe('A-038: a task board', () => {
  it('leads steps from ready to claimed to done, each when those before it are done', () => {
    const board = taskBoard(plan)
    expect(ids(board)).toEqual(['build', 'note'])
    const claimed = claimStep(board, 'build', 'ann')
    expect(ids(claimed)).toEqual(['note'])
    const done = finishStep(claimed, 'build', { by: 'ann', response: 'Built.' })
    expect(ids(done)).toEqual(['test', 'note'])
    expect(done.steps[0]).toMatchObject({ state: 'done', claimedBy: 'ann', response: 'Built.' })
    expect(board.steps.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
  })

  it('gives no step to two', () => {
    const claimed = claimStep(taskBoard(plan), 'build', 'ann')
    expect(() => claimStep(claimed, 'build', 'bob')).toThrow(/claimed by ann/)
    expect(() => claimStep(claimed, 'build', 'ann')).toThrow(/claimed by ann/)
    expect(() => finishStep(claimed, 'build', { by: 'bob' })).toThrow(/claimed by ann/)
    expect(() => releaseStep(claimed, 'build', 'bob')).toThrow(/claimed by ann/)
    expect(ids(releaseStep(claimed, 'build', 'ann'))).toEqual(['build', 'note'])
  })

  it('gives none that waits, is done, or is not there, and says why', () => {
    const board = taskBoard(plan)
    expect(() => claimStep(board, 'test', 'ann')).toThrow(/waits for build/)
    expect(() => claimStep(board, 'ship', 'ann')).toThrow(/no step of release.*build, test, note/)
    const done = finishStep(claimStep(board, 'note', 'ann'), 'note', { by: 'ann' })
    expect(() => claimStep(done, 'note', 'ann')).toThrow(/is done/)
  })

  it('is refused where it could not be worked off', () => {
    const [build, test] = plan.steps
    expect(() => taskBoard({ ...plan, steps: [test!, build!] })).toThrow(/steps\[0\]\.needs.*build/)
    expect(() => taskBoard({ ...plan, steps: [build!, build!] })).toThrow(/steps\[1\]\.id/)
    expect(() => taskBoard({ ...plan, steps: [{ ...build!, checklist: [] }] })).toThrow(/checklist/)
  })

  it('comes to its end whatever the order in which steps are claimed', () => {
    const steps = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (needs, choices) => {
        let board = taskBoard({
          ...plan,
          steps: needs.map((some, index) => ({
            id: `s${index}`,
            goal: 'g',
            checklist: ['c'],
            needs: index === 0 ? [] : some.map((need) => `s${need % index}`),
          })),
        })
        for (let left = needs.length; left > 0; left -= 1) {
          const open = claimable(board)
          const { id } = open[Number(choices.next().value) % open.length]!
          board = finishStep(claimStep(board, id, 'ann'), id, { by: 'ann' })
        }
        expect(board.steps.every(({ state }) => state === 'done')).toBe(true)
      }),
    )
  })
})
