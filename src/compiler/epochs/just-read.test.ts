import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CachePrices, Item, Policy } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful, thrifty } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })
const plain: CachePrices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }

const reading: Policy = {
  ...careful,
  epochs: {
    ...careful.epochs,
    toolFrom: 0,
    justRead: { lineWorth: 0.01, around: 1 },
    debtShare: 0.03,
    reserveCalls: 0,
    patience: 1000,
  },
}

function ask(items: readonly Item[], input: Partial<ConversationInput> = {}): ConversationPlan {
  const tokens = items.map((item) => count(item.text))
  const usual = { overheadTokens: 0, policy: reading, prices: plain, handleKey: 'key', rehydration: true }
  return open({ items, tokens, ...usual, ...input }).plan({ limitTokens: 10_000_000 })
}

function requests(items: readonly Item[], input: Partial<ConversationInput> = {}): readonly ConversationPlan[] {
  const plans: ConversationPlan[] = []
  items.forEach(({ kind }, index) => {
    if (index > 0 && kind !== 'tool-result') return
    plans.push(ask(items.slice(0, index + 1), { ...input, ledger: plans.at(-1)?.ledger }))
  })
  return plans
}

const task: Item = {
  id: 'task',
  section: 'query',
  kind: 'text',
  role: 'user',
  text: 'Find out why it fails. '.repeat(200),
}

function step(at: number, command: string, text: string, said = ''): readonly Item[] {
  const call = { section: 'history', role: 'assistant', toolName: 'bash', toolCallId: `call-${at}` } as const
  return [
    ...(said === ''
      ? []
      : [{ id: `t${at}`, section: 'history', kind: 'text', role: 'assistant', text: said } as const]),
    { ...call, id: `c${at}`, kind: 'tool-call', text: JSON.stringify({ command }) },
    { ...call, id: `r${at}`, kind: 'tool-result', role: 'tool', text },
  ]
}

const source = [
  'import os',
  'from decimal import Decimal',
  'class Cart:',
  '    def __init__(self):',
  '        self.total = 0',
  ...Array.from(
    { length: 30 },
    (_, line) => `    # remark number ${line}, which says nothing that anybody has to read again;`,
  ),
  '    def apply_discount(self, rate):',
  '        return self.total * rate',
  ...Array.from(
    { length: 30 },
    (_, line) => `    # remark number ${line} below, which says nothing that anybody has to read again;`,
  ),
].join('\n')

const nothing = 'ok'

describe('what was just read', () => {
  const items = [task, ...step(1, 'cat cart.py', source), ...step(2, 'grep apply_discount x.py', nothing)]
  const shown = (plan: ConversationPlan | undefined, id: string): string =>
    plan?.renditions[items.findIndex((item) => item.id === id)]?.text ?? ''

  it('stands whole until a reply has read it, and is trimmed right after', () => {
    const [, first, second] = requests(items)
    expect(shown(first, 'r1')).toBe(source)
    expect(second?.renditions[2]?.rung).toBe('trimmed')
    expect(second?.reasons[2]).toBe('economy')
    expect(second?.epoch.decision).toBe('hold')
  })

  it('keeps the lines that the reply names, and those around', () => {
    const [, , second] = requests(items)
    const lines = shown(second, 'r1').split('\n')
    expect(lines).toContain('    def apply_discount(self, rate):')
    expect(lines).toContain('        return self.total * rate')
    expect(lines).not.toContain(source.split('\n')[9])
  })

  it('keeps the lines of words that the reply writes as code', () => {
    const text = [...source.split('\n'), '    def total(self):', '        return sum(self.rows)'].join('\n')
    const all = [task, ...step(1, 'cat cart.py', text), ...step(2, 'ls', nothing, 'I look at `total` next.')]
    const lines = requests(all).at(-1)?.renditions[2]?.text.split('\n')
    expect(lines).toContain('    def total(self):')
  })

  it('keeps what states a failure', () => {
    const failing = [...source.split('\n'), 'TypeError: rate is no number'].join('\n')
    const all = [task, ...step(1, 'python cart.py', failing), ...step(2, 'ls', nothing)]
    const form = requests(all).at(-1)?.renditions[2]
    expect(form?.text).toContain('TypeError: rate is no number')
  })

  it('stays as it is from then on', () => {
    const more = [...items, ...step(3, 'ls', nothing), ...step(4, 'ls', nothing)]
    const plans = requests(more)
    expect(plans.at(-1)?.renditions[2]).toEqual(plans[2]?.renditions[2])
  })

  it('stays whole where it is small, where little would go, and where no policy says so', () => {
    const rung = (policy: Policy): string | undefined => requests(items, { policy }).at(-1)?.renditions[2]?.rung
    const justRead = { lineWorth: 0.01, around: 1 }
    const withRule = (rule: Partial<typeof justRead & { leastTokens: number; leastShare: number }>) =>
      rung({ ...reading, epochs: { ...reading.epochs, justRead: { ...justRead, ...rule } } })
    expect(withRule({})).toBe('trimmed')
    expect(withRule({ leastTokens: 5_000 })).toBe('full')
    expect(withRule({ leastShare: 0.99 })).toBe('full')
    expect(rung(careful)).toBe('full')
  })

  it('waits where it does not pay soon, or the session may not owe so much', () => {
    const dear = { ...plain, write: 8 }
    const rung = (change: Partial<Policy['epochs']>): string | undefined => {
      const policy = { ...reading, epochs: { ...reading.epochs, debtShare: 0.2, ...change } }
      return requests(items, { policy, prices: dear }).at(-1)?.renditions[2]?.rung
    }
    const justRead = { lineWorth: 0.01, around: 1 }
    expect(rung({ justRead: { ...justRead, payWithin: 60 } })).toBe('trimmed')
    expect(rung({ justRead: { ...justRead, payWithin: 0 } })).toBe('full')
    expect(rung({ justRead: { ...justRead, payWithin: 60 }, debtShare: 0 })).toBe('full')
  })

  it('leaves what a tool of ours has brought back whole', () => {
    const hiddenTools = ['bash']
    expect(requests(items, { hiddenTools }).at(-1)?.renditions[2]?.rung).toBe('full')
  })
})

describe('debt', () => {
  const words = fc.constantFrom(
    'plain words',
    'load_config()',
    'def read_rows(path):',
    'ValueError: no such row',
    'src/cart/rows.py:12',
  )
  const text = fc
    .array(words, { minLength: 1, maxLength: 120 })
    .map((lines) => lines.map((line, at) => `${line} ${at}`).join('\n'))
  const command = fc.constantFrom('ls', 'cat src/cart/rows.py', 'grep load_config .', 'python -m read_rows')
  const said = fc.constantFrom('', 'I look at it. We will use load_config. '.repeat(12))
  const session = fc
    .array(fc.tuple(command, text, said), { minLength: 2, maxLength: 45 })
    .map((steps) => [task, ...steps.flatMap((one, at) => step(at, ...one))])
  const marked: CachePrices = { ...plain, write: 1.25, minTokens: 200, readableAt: 'requests' }

  const bold = { lineWorth: 0.05, around: 0, leastTokens: 40, leastShare: 0.1, payWithin: 100 }
  const owing = (debtShare: number): Policy => ({
    ...careful,
    epochs: {
      ...thrifty.epochs,
      keepFull: 2,
      keepTokens: 0,
      patience: 0.2,
      payback: 1,
      reserveCalls: 0,
      justRead: bold,
      touchAge: true,
      oldText: 5,
      lineWorthPer: 'character',
      debtShare,
    },
  })
  const debtOf = (items: readonly Item[], debtShare: number, prices: CachePrices): number =>
    Math.max(
      ...requests(items, { policy: owing(debtShare), prices }).map(
        ({ ledger: { account } }) => account.actual / account.passThrough - 1,
      ),
    )

  describe.each([
    ['any prefix can be read', plain],
    ['a prefix can be read where a request ended', marked],
  ])('%s', (_, prices) => {
    it('is never more than the policy lets a session owe, at any moment', () => {
      fc.assert(
        fc.property(session, fc.constantFrom(0, 0.03, 0.1), (items, debtShare) => {
          expect(debtOf(items, debtShare, prices)).toBeLessThanOrEqual(debtShare + 1e-6)
        }),
        { numRuns: 25 },
      )
    })

    it('is no more than the other sessions of the tenant have saved, and nothing where they have saved nothing', () => {
      const owed = (items: readonly Item[], tenantCredit: number): number =>
        Math.max(
          ...requests(items, { policy: owing(0.1), prices, tenantCredit }).map(
            ({ ledger: { account } }) => account.actual - account.passThrough,
          ),
        )
      fc.assert(
        fc.property(session, fc.constantFrom(0, 20, 100), (items, tenantCredit) => {
          expect(owed(items, tenantCredit)).toBeLessThanOrEqual(tenantCredit + 1e-6)
        }),
        { numRuns: 25 },
      )
    })

    it('is more than nothing in some of these sessions', () => {
      const sessions = fc.sample(session, { numRuns: 25, seed: 1 })
      expect(Math.max(...sessions.map((items) => debtOf(items, 0.1, prices)))).toBeGreaterThan(0.02)
    })
  })
})
