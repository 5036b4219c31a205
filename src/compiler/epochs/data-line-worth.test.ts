import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Item, Policy } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { balanced } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import { uncompacted } from './uncompacted.fixture.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const table = (seed: number): string =>
  [
    'order | customer | total',
    ...Array.from({ length: 60 }, (_, row) => `A-${seed}${row} | Person ${row} | ${row * 17}.50`),
  ].join('\n')
const code = (seed: number): string =>
  Array.from({ length: 60 }, (_, row) => `export const value${seed}n${row} = read(${row})`).join('\n')

/** How the first result is shown once the cache has gone. */
function shown(textOf: (seed: number) => string, policy: Policy): string | undefined {
  const steps = Array.from({ length: 12 }, (_, step): readonly Item[] => {
    const own = { section: 'history', toolName: 'look', toolCallId: `call-${step}` } as const
    return [
      { ...own, id: `c${step}`, kind: 'tool-call', role: 'assistant', text: `{"at":${step}}` },
      { ...own, id: `r${step}`, kind: 'tool-result', role: 'tool', text: textOf(step) },
    ]
  })
  const items: Item[] = [{ id: 'task', section: 'query', kind: 'text', role: 'user', text: 'Go on.' }, ...steps.flat()]
  const open = conversationPlanner({
    ladders: ladderFor,
    itemTokens: (_, text) => count(text),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
  })
  let plan: ConversationPlan | undefined
  for (const [end, nowMs] of [[items.length - 2, 0] as const, [items.length, 3_600_000] as const]) {
    const own = items.slice(0, end)
    plan = open({
      items: own,
      tokens: own.map(({ text }) => count(text)),
      overheadTokens: 0,
      policy,
      prices: { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 },
      handleKey: 'key',
      rehydration: true,
      nowMs,
      ...(plan && { ledger: plan.ledger }),
    }).plan({ limitTokens: 1_000_000 })
  }
  return plan?.renditions[2]?.rung
}

it('data stays where lines of code of the same worth go', () => {
  const policy = uncompacted(balanced)
  const { dataLineWorth: _, ...epochs } = policy.epochs
  expect(shown(code, policy)).toBe('line')
  expect(shown(table, policy)).toBe('full')
  expect(shown(table, { ...policy, epochs })).not.toBe('full')
})
