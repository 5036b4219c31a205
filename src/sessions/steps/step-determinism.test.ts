import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimStep, taskBoard } from '../../core/index.ts'
import type { HostState } from './host-state.ts'
import { stepPack } from './step-pack.ts'
import type { StepToPack } from './step-pack.ts'

const child = resolve(import.meta.dirname, 'step-pack.child.ts')

function run(environment: Readonly<Record<string, string>>, order: 'straight' | 'turned'): string {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, order], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

describe('A-021: the pack of a step', () => {
  it('has equal checksums of equal inputs, in processes of other time zones, locales and orders of maps', () => {
    const first = run({ TZ: 'UTC', LANG: 'C', LC_ALL: 'C' }, 'straight')
    const second = run({ TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }, 'turned')
    expect(first).toMatch(/"checksum":"sha256:[0-9a-f]{64}"/)
    expect(second).toBe(first)
  })

  const board = taskBoard({
    taskId: 'release',
    goal: 'A release',
    steps: [
      { id: 'find', goal: 'Find the change', checklist: ['Names one commit'], tools: ['log'] },
      { id: 'look', goal: 'Find the change', checklist: ['Names one commit'], tools: ['log'] },
    ],
  })
  const state: HostState = {
    plan: { instructions: 'Work in small steps.', board: claimStep(claimStep(board, 'find', 'ann'), 'look', 'ann') },
    tools: [{ name: 'log', description: 'Lists commits.', schema: {} }],
    knowledge: {
      memory: [{ id: 'm', text: 'The build takes ten minutes.', learntAt: '2026-11-20T10:00:00Z' }],
      artifacts: [{ uri: 'artifact://build.log', text: 'error: no such module' }],
    },
    events: [{ id: 'e1', role: 'user', text: 'The build is red.' }],
  }
  const asked: StepToPack = {
    sessionId: 's1',
    stepId: 'find',
    by: 'ann',
    request: 'What broke it?',
    budget: { windowTokens: 8_000 },
    createdAt: '2026-11-22T12:00:00Z',
  }
  const hashOf = (own: HostState, changes: Partial<StepToPack> = {}) =>
    stepPack(own, { ...asked, ...changes }).manifest.inputHash

  it('is made of task, step, checklist, scope, evidence, memory and turns: each of them changes what it was made of', () => {
    const { plan, knowledge } = state
    const withBoard = (changes: object, ofStep: object = {}): HostState => {
      const steps = plan.board.steps.map((step) => ({ ...step, ...ofStep }))
      return { ...state, plan: { ...plan, board: { ...plan.board, steps, ...changes } } }
    }
    const changed = [
      hashOf(state),
      hashOf(withBoard({ taskId: 'other' })),
      hashOf(state, { stepId: 'look' }),
      hashOf(withBoard({}, { checklist: ['Names two'] })),
      hashOf(withBoard({}, { tools: ['log', 'diff'] })),
      hashOf({
        ...state,
        knowledge: { ...knowledge, artifacts: [{ ...knowledge.artifacts[0]!, uri: 'artifact://other' }] },
      }),
      hashOf({ ...state, knowledge: { ...knowledge, memory: [] } }),
      hashOf({ ...state, events: [] }),
    ]
    expect(new Set(changed).size).toBe(changed.length)
    expect(hashOf(structuredClone(state), { createdAt: '2030-01-01T00:00:00Z' })).toBe(changed[0])
  })

  it('names task, step, who works on it and the tools in its receipt', () => {
    expect(stepPack(state, asked).manifest.scope).toEqual({
      taskId: 'release',
      stepId: 'find',
      agent: 'ann',
      tools: ['log'],
    })
  })
})
