import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Item, Policy } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const open = conversationPlanner({
  ladders: ladderFor,
  itemTokens: (_, text) => count(text),
  hash: (text) => createHash('sha256').update(text).digest('hex'),
})
const folding: Policy = { ...careful, epochs: { ...careful.epochs, toolFrom: 0, replacedTokens: 40 } }

function ask(items: readonly Item[], input: Partial<ConversationInput> = {}): ConversationPlan {
  const tokens = items.map((item) => count(item.text))
  const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }
  const usual = { overheadTokens: 0, policy: folding, prices, handleKey: 'key', rehydration: true }
  return open({ items, tokens, ...usual, ...input }).plan({ limitTokens: 1_000_000 })
}

const task: Item = { id: 'task', section: 'query', kind: 'text', role: 'user', text: 'Rename the list.' }
const lines = (name: string): string =>
  Array.from({ length: 20 }, (_, line) => `  ${name}.push("value ${line}", ${line})`).join('\n')

function step(id: string, args: object, result?: Partial<Item>): readonly Item[] {
  const call = { section: 'history', toolName: 'edit', toolCallId: id } as const
  return [
    { ...call, id: `c${id}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(args) },
    ...(result ? [{ ...call, id: `r${id}`, kind: 'tool-result', role: 'tool', text: 'done', ...result } as const] : []),
  ]
}

const edit = { path: 'a.ts', oldText: lines('old'), newText: lines('fresh') }
const shownCall = (plan: ConversationPlan, at = 1): Record<string, string> =>
  JSON.parse(plan.renditions[at]?.text ?? '{}') as Record<string, string>

describe('old text of an edit', () => {
  it('is folded in the first request that sends the edit, and nothing else is written anew', () => {
    const first = ask([task])
    const items = [task, ...step('1', edit, {})]
    const second = ask(items, { ledger: first.ledger })
    expect(second.epoch.decision).toBe('hold')
    expect(second.renditions.map(({ rung }) => rung)).toEqual(['full', 'trimmed', 'full'])
    expect(shownCall(second)).toMatchObject({ path: 'a.ts', newText: edit.newText })
    expect(shownCall(second)['oldText']?.split('\n')[1]).toContain(second.renditions[1]?.handle)
    const third = ask([...items, ...step('2', { path: 'a.ts' }, { text: 'nothing new' })], { ledger: second.ledger })
    expect(third.renditions[1]?.text).toBe(second.renditions[1]?.text)
  })

  it('stays where the edit failed, by its status or by its words, and where nothing has come back', () => {
    for (const result of [{ status: 'error' as const }, { text: 'Error: old text not found in a.ts' }, undefined])
      expect(ask([task, ...step('1', edit, result)]).renditions[1]?.rung).toBe('full')
  })

  it('stays where the policy does not fold it, hides nothing, or no handle can be followed', () => {
    const items = [task, ...step('1', edit, {})]
    const { replacedTokens: _, ...whole } = careful.epochs
    const never: Policy = { ...careful, epochs: whole }
    const lossless: Policy = { ...folding, epochs: { ...folding.epochs, lowestRung: 'lossless' } }
    for (const input of [{ policy: never }, { policy: lossless }, { rehydration: false }])
      expect(ask(items, input).renditions[1]?.rung).toBe('full')
  })

  it('stays where the tool that follows handles would have to come in for less than stands before', () => {
    const later: Policy = { ...folding, epochs: { ...folding.epochs, toolFrom: 1_000_000 } }
    const long = { ...task, text: 'Rename the list. '.repeat(200) }
    const items = (first: Item): readonly Item[] => [first, ...step('1', edit, {})]
    expect(ask(items(long), { policy: later, offerTokens: 40 }).renditions[1]?.rung).toBe('full')
    expect(ask(items(task), { policy: later, offerTokens: 40 }).renditions[1]?.rung).toBe('trimmed')
  })

  it('a later result refers to its new text by a line that stands once in the shown call', () => {
    // The first lines of both texts are alike, and all that is left of the old one is short.
    const old = `list of values {\n${lines('old')}\n}`
    const fresh = `list of values {\n${lines('fresh')}\n}`
    const view = `a line above, which stands nowhere else\nlist of values {\n${lines('fresh')}\n}\n${lines('other')}`
    const items = [task, ...step('1', { path: 'a.ts', oldText: old, newText: fresh }, {})]
    for (let at = 2; at < 8; at++) items.push(...step(String(at), { command: `ls ${at}` }, { text: `nothing ${at}` }))
    items.push(...step('9', { path: 'a.ts' }, { text: view }))
    const shown = ask(items).renditions.at(-1)?.text.split('\n') ?? []
    const marker = shown.findIndex((line) => line.includes('as in the call of step 1'))
    expect(marker).toBeGreaterThan(0)
    expect(shown[marker - 1]).not.toBe('list of values {')
  })
})
