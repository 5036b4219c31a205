import type { BriefBudgets, Item } from '../../core/index.ts'
import { wordTokens } from '../word-tokens.fixture.ts'
import { factReader } from '../../ladders/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import type { BriefInput } from './brief-input.ts'

/** What happens in a conversation: words, or a call with its result. */
export type Event =
  | { readonly user: string }
  | { readonly says: string }
  | { readonly tool: string; readonly input: unknown; readonly result: string; readonly status?: 'ok' | 'error' }

export const wide: BriefBudgets = { views: 8000, viewSteps: 200, tasks: 2500, outlines: 4000, lines: 1000 }

/** The input of a brief that stands for all steps but so many at the end. */
export function inputOf(events: readonly Event[], kept = 0, more: Partial<BriefInput> = {}): BriefInput {
  const items = events.flatMap(itemsOf)
  const steps = stepNumbers(items)
  const last = (steps.at(-1) ?? 0) - kept
  const gone = items.flatMap(({ role }, index) => (role !== 'user' && (steps[index] ?? 0) <= last ? [index] : []))
  return { items, steps, gone, budgets: wide, facts: factReader(), count, ...more }
}

export const { count } = wordTokens

function itemsOf(event: Event, at: number): readonly Item[] {
  const item = { section: 'history' } as const
  if ('user' in event) return [{ ...item, id: `u${at}`, kind: 'text', role: 'user', text: event.user }]
  if ('says' in event) return [{ ...item, id: `a${at}`, kind: 'text', role: 'assistant', text: event.says }]
  const { tool: toolName, input, result, status = 'ok' } = event
  const both = { ...item, toolName, toolCallId: `call${at}` }
  return [
    { ...both, id: `c${at}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(input) },
    { ...both, id: `r${at}`, kind: 'tool-result', role: 'tool', text: result, status },
  ]
}

export const reads = (path: string, result: string): Event => ({ tool: 'read', input: { path }, result })
export const edits = (path: string, oldText: string, newText: string): Event => ({
  tool: 'edit',
  input: { path, oldText, newText },
  result: `Successfully replaced text in ${path}.`,
})
export const writes = (path: string, content: string): Event => ({
  tool: 'write',
  input: { path, content },
  result: `Wrote ${path}.`,
})
export const runs = (command: string, result = '(no output)', status: 'ok' | 'error' = 'ok'): Event => ({
  tool: 'bash',
  input: { command },
  result,
  status,
})
