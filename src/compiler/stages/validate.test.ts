import { describe, expect, it } from 'vitest'
import type { CompileInput, PackEntry, StepFrame } from '../../core/index.ts'
import { isPrehendError } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import { compile, evidence, input, itemOf } from '../compile-input.fixture.ts'
import { careful, policies } from '../policy/policies.ts'
import type { ValidateInput } from './validate.ts'
import { validatePack } from './validate.ts'

const errorOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return isPrehendError(error) ? { code: error.code, ...error.data } : error
  }
  return undefined
}

const entry = (itemId: string, section: string, tokens: number): PackEntry => ({
  itemId,
  section,
  tokens,
  rung: 'full',
  text: itemId,
})
const entries = [entry('e1', 'evidence', 40), entry('e2', 'evidence', 40), entry('t', 'task', 10)]
const forms = entries.map((one): Form => ({ entry: one, tokens: one.tokens }) as unknown as Form)
const candidates = [evidence('e1', 'One.'), evidence('e2', 'Two.'), itemOf('task', 't', 'Go.')].map((item) => ({
  item,
  contentHash: `hash of ${item.text}`,
})) as unknown as ValidateInput['candidates']

/** A pack of 100 tokens that is as it should be, with changes. */
const sound = (changes: Partial<ValidateInput> = {}): ValidateInput =>
  ({
    request: { policy: careful, layout: 'payload', frame: { request: 'Go.' } },
    candidates,
    repeats: true,
    allocated: { plans: [{ section: 'evidence', members: [0, 1] }], availableTokens: 100 },
    compressed: { forms, granted: new Map([['evidence', 80]]) },
    assembled: { entries, tokens: 100, constraintTokens: 15 },
    ...changes,
  }) as unknown as ValidateInput

const failed = (changes: Partial<ValidateInput>) => errorOf(() => validatePack(sound(changes), () => 'trace'))
const { allocated, compressed, assembled } = sound()
const requiring = (changes: Partial<CompileInput>) =>
  failed({ request: { layout: 'payload', policy: careful, ...changes } })

describe('every assertion has a pack that fails it', () => {
  it('P-026: a sound pack passes, to the last token', () => {
    expect(failed({})).toBeUndefined()
  })

  it.each([
    ['within-window', { allocated: { ...allocated, availableTokens: 99 } }],
    ['within-allocation', { compressed: { ...compressed, granted: new Map([['evidence', 79]]) } }],
    ['within-allocation', { compressed: { ...compressed, granted: new Map() } }],
    ['evidence-once', { candidates: candidates.map((one) => ({ ...one, contentHash: 'the same' })) }],
  ] as const)('P-026, P-033: %s', (assertion, changes) => {
    expect(failed(changes as Partial<ValidateInput>)).toMatchObject({
      code: 'compile-assertion',
      assertion,
      traceId: 'trace',
    })
  })

  it('P-026: task-present, and required-parts for a policy that must be given', () => {
    const without = { assembled: { ...assembled, entries: entries.slice(0, 2) } }
    const request = { layout: 'payload', policy: careful } as const
    expect(failed({ ...without, request })).toMatchObject({ assertion: 'task-present' })
    expect(requiring({ frame: { request: 'Go.' }, policy: { ...careful, requires: ['policy'] } })).toMatchObject({
      assertion: 'required-parts',
      remedy: 'Missing: policy. Give them, ask the planner for them, or split the step.',
    })
  })

  it('P-026: the policy of step packs refuses one that lacks the section policy, a step or criteria', () => {
    const policy = policies['step-pack']
    const frame = { goal: 'A green build.', step: 'Find it.', acceptance: ['Names it.'], request: 'Go.' }
    const rules = itemOf('policy', 'p', 'Never delete anything.')
    const missing = (changes: Partial<CompileInput>) => errorOf(() => compile(input({ policy, frame, ...changes })))
    expect(missing({ items: [rules] })).toBeUndefined()
    expect(missing({})).toMatchObject({
      assertion: 'required-parts',
      remedy: expect.stringMatching(/^Missing: policy\./) as unknown,
    })
    expect(missing({ items: [rules], frame: { request: 'Go.' } })).toMatchObject({
      remedy: expect.stringMatching(/^Missing: step, acceptance\./) as unknown,
    })
  })

  it('P-043: constraint-share', () => {
    const policy = (maxConstraintShare: number) => ({ ...careful, payload: { maxConstraintShare } })
    expect(requiring({ frame: { request: 'Go.' }, policy: policy(0.15) })).toBeUndefined()
    expect(requiring({ frame: { request: 'Go.' }, policy: policy(0.14) })).toMatchObject({
      assertion: 'constraint-share',
    })
  })

  it('P-026: evidence without provenance is refused before anything is sent', () => {
    const { provenance: _, ...anonymous } = evidence('e', 'A rumour.')
    expect(errorOf(() => compile(input({ items: [anonymous] })))).toMatchObject({ code: 'invalid-input' })
  })
})

describe('what is required, and what is not', () => {
  const task: StepFrame = { goal: 'A green build.', step: 'Find it.', acceptance: ['Names it.'], request: 'Go.' }
  const { step: _step, ...noStep } = task
  const { acceptance: _acceptance, ...noAcceptance } = task
  const outcomeOf = (changes: Partial<CompileInput>) => {
    const given = input({ frame: task, ...changes })
    return errorOf(() => compile(given)) ?? compile(given).outcome
  }

  it.each([
    ['a step', { frame: noStep }, { code: 'invalid-input', field: 'frame.step' }],
    [
      'an empty step',
      { frame: { ...task, step: ' ' }, policy: { ...careful, requires: ['step'] } },
      { assertion: 'required-parts' },
    ],
    ['acceptance', { frame: noAcceptance }, { code: 'invalid-input', field: 'frame.acceptance' }],
    ['evidence that is asked for', { policy: { ...careful, requires: ['evidence'] } }, { assertion: 'required-parts' }],
    ['evidence that nobody asks for', {}, { kind: 'ok' }],
    [
      'memory',
      { items: [evidence('e', 'A fact.'), itemOf('history', 'h', 'Said.', { role: 'user' })] },
      { kind: 'ok' },
    ],
    ['a conversation', { items: [evidence('e', 'A fact.'), itemOf('memory', 'm', 'Known.')] }, { kind: 'ok' }],
  ] as const)('A-029: a task without %s', (_, changes, expected) => {
    expect(outcomeOf(changes as Partial<CompileInput>)).toMatchObject(expected)
  })

  it('A-029: the receipt says what evidence is wanting', () => {
    expect(compile(input({ frame: task })).manifest.evidenceNeeded).toBe(true)
    expect(compile(input({ frame: task, items: [evidence('e', 'A fact.')] })).manifest.evidenceNeeded).toBeUndefined()
  })
})
