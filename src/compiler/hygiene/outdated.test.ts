import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HygienePolicy, Item, Ledger, Policy } from '../../core/index.ts'
import { factReader, ladderFor } from '../../ladders/index.ts'
import { conversationPlanner } from '../epochs/index.ts'
import type { ConversationPlan } from '../epochs/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { careful, policies } from '../policy/policies.ts'
import { outdatedItems } from './outdated.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)

/** A call and its result. */
const did = (
  id: string,
  args: object,
  result: string,
  { toolName = 'bash', status = 'ok' }: { readonly toolName?: string; readonly status?: 'ok' | 'error' } = {},
): readonly Item[] => {
  const own = { section: 'history', toolName, toolCallId: id, group: id } as const
  return [
    { ...own, id: `${id}.call`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(args) },
    { ...own, id: `${id}.result`, kind: 'tool-result', role: 'tool', text: result, status },
  ]
}

const words: Item = { id: 'said', section: 'history', kind: 'text', role: 'assistant', text: 'Let me see.' }

/** Ids with why, of the results that are over. */
function over(items: readonly Item[], hygiene: HygienePolicy): Readonly<Record<string, string>> {
  const facts = factReader()
  const found = outdatedItems({ items, steps: stepNumbers(items), facts, hygiene, hiddenTools: ['rehydrate'] })
  return Object.fromEntries(Array.from(found, ([index, why]) => [items[index]?.id ?? '', why]))
}

const all: HygienePolicy = { superseded: true, voided: true }

describe('results that a conversation has no use for any more', () => {
  it('P-058: a result is superseded by a later run of the same command, and by no other', () => {
    const items = [
      ...did('a', { command: 'npm test' }, '3 failed'),
      ...did('b', { command: 'npm run lint' }, 'clean'),
      ...did('c', { command: 'npm test' }, '2 failed'),
      words,
    ]
    expect(over(items, all)).toEqual({ 'a.result': 'superseded' })
    expect(over(items, {})).toEqual({})
  })

  it('P-058: a view is superseded once its file is written anew, or changed and looked at again, not by a change alone', () => {
    const edit = { path: 'src/a.ts', old_str: 'one', new_str: 'two' }
    const view = (id: string) => did(id, { path: 'src/a.ts', view_range: id }, `1 one ${id}`)
    const before = [...view('v1'), ...did('e', edit, 'done'), words]
    expect(over(before, all)).toEqual({})
    expect(over([...before, ...view('v2'), words], all)).toEqual({ 'v1.result': 'superseded' })
    const written = did('w', { path: 'src/a.ts', content: 'new' }, 'written')
    expect(over([...view('v1'), ...written, words], all)).toEqual({ 'v1.result': 'superseded' })
    const failed = did('w', { path: 'src/a.ts', content: 'new' }, 'no such folder', { status: 'error' })
    expect(over([...view('v1'), ...failed, words], all)).toEqual({})
  })

  it('P-058: a view is void once an edit of its file has failed', () => {
    const edit = { path: 'src/a.ts', old_str: 'one', new_str: 'two' }
    const items = [
      ...did('v1', { path: 'src/a.ts' }, '1 one'),
      ...did('v2', { path: 'src/b.ts' }, '1 one'),
      ...did('e', edit, 'old_str not found', { status: 'error' }),
      words,
    ]
    expect(over(items, all)).toEqual({ 'v1.result': 'voided' })
    expect(over(items, { superseded: true })).toEqual({})
  })

  it('what was found for a turn is released once the user has said more, unless it is cited or the policy says never', () => {
    const asks = (id: string, text: string): Item => ({ id, section: 'history', kind: 'text', role: 'user', text })
    const found = (id: string, more: Partial<Item> = {}): Item => ({
      id,
      section: 'evidence',
      kind: 'evidence',
      text: 'It is so.',
      provenance: { sourceId: 'kb' },
      ...more,
    })
    const ofTurn = [found('a', { lasts: 'turn' }), found('b', { lasts: 'turn', citable: true }), found('c')]
    const turn = [asks('q1', 'What is so?'), ...ofTurn, words, ...did('t', { command: 'ls' }, 'done'), words]
    const reminder = asks('r', '<system-reminder>Mind the list.</system-reminder>')
    expect(over([...turn, reminder], {})).toEqual({})
    const next = [...turn, asks('q2', 'And why?'), found('d', { lasts: 'turn' })]
    expect(over(next, {})).toEqual({ a: 'released' })
    expect(over([...next, words], {})).toEqual({ a: 'released' })
    expect(over(next, { release: 'never' })).toEqual({})
  })

  it('P-070: what our tool has brought back is released once its step is over, unless the policy says never', () => {
    const brought = did('r', { handle: '1' }, 'the original', { toolName: 'rehydrate' })
    const goesOn: Item = { ...words, id: 'asked', role: 'user', text: 'Go on.' }
    expect(over(brought, {})).toEqual({})
    expect(over([...brought, words], {})).toEqual({})
    expect(over([...brought, ...did('b', { command: 'ls' }, 'done')], {})).toEqual({})
    const released = { 'r.result': 'released' }
    expect(over([...brought, ...did('b', { command: 'ls' }, 'done'), words], {})).toEqual(released)
    expect(over([...brought, words, goesOn], {})).toEqual(released)
    expect(over([...brought, words, goesOn], { release: 'never' })).toEqual({})
    const clients = outdatedItems({
      items: [...brought, words, goesOn],
      steps: [1, 1, 1, 1],
      facts: factReader(),
      hygiene: {},
      hiddenTools: [],
    })
    expect(clients.size).toBe(0)
  })
})

const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })

interface Asked {
  readonly policy?: Policy
  readonly ledger?: Ledger | undefined
  readonly nowMs?: number
}

function ask(items: readonly Item[], { policy = careful, ledger, nowMs = 0 }: Asked = {}): ConversationPlan {
  return open({
    items,
    tokens: items.map(({ text }) => count(text)),
    overheadTokens: 0,
    policy,
    prices: { read: 0.1, write: 1.25, minTokens: 0, ttlMs: 300_000 },
    handleKey: 'key',
    hiddenTools: ['rehydrate'],
    rehydration: true,
    ledger,
    nowMs,
  }).plan({ limitTokens: 100_000 })
}

const listing = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `${name}Function${line}(argument_${name}_${line}) returns value`).join(
    '\n',
  )

/** As a session shows each item, by its id. */
const shownOf = (items: readonly Item[], { renditions, reasons }: ConversationPlan) =>
  Object.fromEntries(items.map(({ id }, at) => [id, [renditions[at]?.rung, reasons[at]]]))

describe('what was brought back', () => {
  const brought = did('r', { handle: '482915037114' }, listing('kept', 60), { toolName: 'rehydrate' })
  const before = [...did('a', { command: 'ls' }, listing('old', 30)), ...brought]
  const items = [...before, ...did('b', { command: 'pwd' }, listing('new', 30))]

  it('P-070: stands whole for its step, and goes with the next epoch while newer results stay', () => {
    const first = ask(before)
    expect(shownOf(before, first)['r.result']?.[0]).toBe('full')
    const held = ask(items, { ledger: first.ledger, nowMs: 1_000 })
    expect(shownOf(items, held)['r.result']).toEqual(['full', 'fits'])
    const next = [...items, ...did('c', { command: 'date' }, 'Monday')]
    const cold = ask(next, { ledger: held.ledger, nowMs: 10_000_000 })
    expect(cold.epoch).toMatchObject({ decision: 'begin', cause: 'cold-cache' })
    const shown = shownOf(next, cold)
    expect([shown['r.result'], shown['b.result']?.[0], shown['a.result']?.[0]]).toEqual([
      ['line', 'released'],
      'full',
      'full',
    ])
    const at = next.findIndex(({ id }) => id === 'r.result')
    expect(cold.renditions[at]).toMatchObject({ text: expect.stringMatching(/^\[Tool: rehydrate - ok/) })
    expect(cold.renditions[at]?.handle).toBeDefined()
  })

  it('P-070: goes right after its step where the policy says at once', () => {
    const policy: Policy = { ...careful, id: 'tidy', hygiene: { release: 'at-once' } }
    const first = ask(before, { policy })
    const step = ask(items, { policy, ledger: first.ledger, nowMs: 1_000 })
    expect(shownOf(items, step)['r.result']).toEqual(['full', 'fits'])
    const next = [...items, ...did('c', { command: 'date' }, 'Monday')]
    const gone = ask(next, { policy, ledger: step.ledger, nowMs: 2_000 })
    expect(gone.epoch).toMatchObject({ decision: 'begin', cause: 'released' })
    expect(shownOf(next, gone)['r.result']).toEqual(['line', 'released'])
    const later = [...next, ...did('d', { command: 'date' }, 'Tuesday')]
    const held = ask(later, { policy, ledger: gone.ledger, nowMs: 3_000 })
    expect(held.epoch.decision).toBe('hold')
    expect(shownOf(later, held)['r.result']).toEqual(['line', 'ledger'])
  })

  it('stays where the policy says never, and where nothing may be hidden', () => {
    const hygiene = { release: 'never' } as const
    const epochs = { ...careful.epochs, lowestRung: 'lossless' } as const
    const next = [...items, ...did('c', { command: 'date' }, 'Monday')]
    for (const policy of [
      { ...careful, id: 'kept', hygiene },
      { ...careful, id: 'whole', epochs },
    ]) {
      const first = ask(before, { policy })
      const cold = ask(next, { policy, ledger: first.ledger, nowMs: 10_000_000 })
      expect(shownOf(next, cold)['r.result']?.[0]).toBe('full')
    }
  })
})

it('P-058: what was superseded goes first in an epoch, and the receipt says why', () => {
  const items = [
    ...did('a', { command: 'npm test' }, listing('first', 60)),
    ...did('b', { command: 'npm test' }, listing('second', 60)),
    words,
  ]
  const policy: Policy = { ...careful, id: 'tidy', hygiene: { superseded: true } }
  const first = ask(items.slice(0, 2), { policy })
  const cold = ask(items, { policy, ledger: first.ledger, nowMs: 10_000_000 })
  expect(shownOf(items, cold)['a.result']).toEqual(['line', 'superseded'])
  expect(shownOf(items, cold)['b.result']?.[0]).toBe('full')
})

describe('failures', () => {
  const session = (steps: number): readonly Item[] => [
    ...did('bad', { command: 'make' }, `${listing('log', 40)}\nError: cannot find module x`, { status: 'error' }),
    ...Array.from({ length: steps }, (_, at) => did(`s${at}`, { command: `cat ${at}` }, listing(`s${at}x`, 40))).flat(),
    words,
  ]
  const wholeFor = (keepErrors: number): number => {
    const policy: Policy = {
      ...careful,
      id: 'masked',
      epochs: { ...careful.epochs, keepErrors, keepFull: 1, keepTokens: 0, lowestRung: 'line', lineWorth: 1 },
    }
    for (let steps = 0; steps < 12; steps += 1) {
      const items = session(steps)
      const first = ask(items.slice(0, 1), { policy })
      const { renditions, reasons } = ask(items, { policy, ledger: first.ledger, nowMs: 10_000_000 })
      if (renditions[1]?.rung !== 'full') return steps
      if (steps > 0) expect(reasons[1]).toBe('error-kept')
    }
    return Infinity
  }

  it('A-058: stay whole for as many further steps as the policy says, and no longer', () => {
    expect([1, 2, 4, 6].map(wholeFor)).toEqual([1, 2, 4, 6])
  })
})

describe('plain masking', () => {
  const results = Array.from({ length: 5 }, (_, at) => did(`s${at}`, { command: `cat ${at}` }, listing(`s${at}x`, 30)))
  const rungsOf = (items: readonly Item[]): readonly string[] => {
    const { masked } = policies
    const first = ask(items.slice(0, 1), { policy: masked })
    const plan = ask(items, { policy: masked, ledger: first.ledger, nowMs: 10_000_000 })
    return items.flatMap(({ kind }, at) => (kind === 'tool-result' ? [plan.renditions[at]?.text ?? ''] : []))
  }

  it('C-013, X-01: of five results that were read the newest two stand whole, the others as one line in its form', () => {
    const shown = rungsOf([...results.flat(), words])
    const line = (step: number): RegExp =>
      new RegExp(`^\\[Tool: bash - ok, \\d+ tokens, step ${step}\\] rehydrate\\("\\d{12}"\\)$`)
    expect(shown.slice(0, 3)).toEqual([1, 2, 3].map((step) => expect.stringMatching(line(step))))
    expect(shown.slice(3)).toEqual([listing('s3x', 30), listing('s4x', 30)])
  })

  it('C-013: results that no turn has read stand whole, however many', () => {
    const calls = results.map(([call]) => call!)
    const answers = results.map(([, result]) => result!)
    expect(rungsOf([...calls, ...answers])).toEqual(answers.map(({ text }) => text))
    const read = rungsOf([...did('read', { command: 'ls' }, listing('read', 30)), ...calls, ...answers])
    expect(read).toEqual([expect.stringMatching(/^\[Tool: bash - ok/), ...answers.map(({ text }) => text)])
  })
})
