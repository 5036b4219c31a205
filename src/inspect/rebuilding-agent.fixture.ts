import { createHash } from 'node:crypto'
import { careful } from '../compiler/index.ts'
import type { CompileInput, CompileResult, Item, Policy } from '../core/index.ts'
import { openGovernor } from '../governor/index.ts'
import type { AssembledCall } from '../governor/index.ts'
import type { TraceRequest } from './trace.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What an agent that rebuilds its context lets the parts of it have. */
export function rebuildPolicy(softTokens: number): Policy {
  return {
    ...careful,
    id: 'rebuild',
    version: '1.0.0',
    softTokens,
    fractions: { policy: 0.1, evidence: 0.5, history: 0.4 },
    provenance: 'source',
  }
}

/** Words of the last messages: what the agent is at. */
const atWork = 3

/**
 * A recorded agent as one that keeps what it has found as data: results of tools are evidence with a place in time, what was said and
 * called stays said, instructions are rules.
 */
export function stateOf({ messages }: TraceRequest): readonly Item[] {
  const items = messages.flatMap((message) => message.items)
  const wanted = wordsOf(messages.slice(-atWork).flatMap((message) => message.items))
  return items.map((item, index): Item => {
    if (item.role === 'system' || item.role === 'developer') return { ...item, section: 'policy', kind: 'instruction' }
    const { group: _, toolCallId: _id, ...own } = item
    if (item.kind !== 'tool-result')
      return { ...own, section: 'history', kind: item.kind === 'tool-call' ? 'text' : item.kind }
    const freshness = (index + 1) / items.length
    return {
      ...own,
      section: 'evidence',
      kind: 'evidence',
      provenance: { sourceId: item.toolName ?? 'tool' },
      scores: { freshness, relevance: overlap(item.text, wanted) },
    }
  })
}

function wordsOf(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ text }) => text.match(/[A-Za-z_]\w{4,40}/g) ?? []))
}

function overlap(text: string, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0
  let found = 0
  for (const word of wanted) if (text.includes(word)) found += 1
  return Math.min(1, (2 * found) / wanted.size)
}

export interface RebuiltOptions {
  readonly compile: (input: CompileInput) => CompileResult
  readonly softTokens: number
  readonly windowTokens: number
}

/** Assembles the context of each request anew, through the same compiler as a session. */
export function rebuildingAgent({ compile, softTokens, windowTokens }: RebuiltOptions) {
  let request: TraceRequest | undefined
  const governor = openGovernor({
    compile,
    policy: () => rebuildPolicy(softTokens),
    candidates: async () => (request === undefined ? [] : stateOf(request)),
  })
  return (next: TraceRequest, tick: number): Promise<AssembledCall> => {
    request = next
    const asked = next.messages.findLast(({ role }) => role === 'user')
    const words = asked?.items.map(({ text }) => text).join('\n') ?? ''
    return governor.beforeCall({
      tick,
      frame: { request: words.slice(0, 2_000) || 'Go on.' },
      budget: { windowTokens },
    })
  }
}
