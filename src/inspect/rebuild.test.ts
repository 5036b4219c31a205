import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { careful, createCompiler } from '../compiler/index.ts'
import type { Ledger } from '../core/index.ts'
import { applyDelta } from '../governor/index.ts'
import type { AssembledCall, Workspace } from '../governor/index.ts'
import { memoCounter } from '../tokens/index.ts'
import { plainRules } from './billing-rules.ts'
import { rebuildingAgent, sha256 } from './rebuilding-agent.fixture.ts'
import { readTrace } from './read-trace.ts'
import type { TraceRequest } from './trace.ts'

const file = resolve(import.meta.dirname, '../../examples/session.jsonl')
const { tokenizer } = plainRules()
const { count } = memoCounter(tokenizer)
const softTokens = 4_000

const rawTokens = ({ messages }: TraceRequest): number =>
  messages.flatMap(({ items }) => items).reduce((sum, { text }) => sum + count(text), 0)

describe('a recorded agent, as one that rebuilds its context for every call', () => {
  const compiler = createCompiler({ tokenizer, hash: sha256 })
  const requests: TraceRequest[] = []
  const rebuilt: AssembledCall[] = []
  const managed: number[] = []

  beforeAll(async () => {
    for await (const trace of readTrace(file)) requests.push(...trace.requests)
    const assemble = rebuildingAgent({ compile: (input) => compiler.compile(input), softTokens, windowTokens: 200_000 })
    let ledger: Ledger | undefined
    for (const [tick, request] of requests.entries()) {
      rebuilt.push(await assemble(request, tick))
      const items = request.messages.flatMap((message) => message.items)
      const budget = { windowTokens: 200_000 }
      const result = compiler.compile({ items, budget, policy: careful, layout: 'messages', ...(ledger && { ledger }) })
      ledger = result.ledger
      managed.push(result.manifest.packTokens)
    }
  })

  it('X-19: one compiler serves it and a managed session in turns, and each has what the other would have without it', async () => {
    expect(requests.length).toBeGreaterThan(10)
    const alone = createCompiler({ tokenizer, hash: sha256 })
    const assemble = rebuildingAgent({ compile: (input) => alone.compile(input), softTokens, windowTokens: 200_000 })
    for (const [tick, request] of requests.entries()) {
      const { result } = await assemble(request, tick)
      expect(result.outcome.kind).toBe('ok')
      expect(result.pack?.hash).toBe(rebuilt[tick]?.result.pack?.hash)
    }
    const last = requests.at(-1)!
    // A managed conversation grows by what is said; a rebuilt one stands on nothing that was sent before.
    expect(managed.at(-1)).toBeGreaterThan(2 * managed[4]!)
    const fresh = rebuildingAgent({
      compile: (input) => createCompiler({ tokenizer, hash: sha256 }).compile(input),
      softTokens,
      windowTokens: 200_000,
    })
    expect((await fresh(last, 0)).result.pack?.hash).toBe(rebuilt.at(-1)?.result.pack?.hash)
  })

  it('V-004, N-12: every call gets a typed workspace within its budget, and start and growth stand beside those of raw history', () => {
    const raw = requests.map(rawTokens)
    const own = rebuilt.map(({ workspace }) => workspace.totalTokens)
    for (const { workspace } of rebuilt) {
      expect(workspace.totalTokens).toBeLessThanOrEqual(softTokens)
      expect(workspace.reasons.length).toBeGreaterThan(0)
      for (const { entries } of workspace.categories)
        for (const entry of entries) expect(entry.contentHash).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(raw.at(-1)).toBeGreaterThan(softTokens)
    expect(slope(own)).toBeLessThan(0.75 * slope(raw))
    expect(own[0]).toBeGreaterThan(0)
  })

  it('each workspace follows from the one before by its delta, which is smaller', () => {
    let have: Workspace | undefined
    let [deltas, wholes] = [0, 0]
    for (const { workspace, delta } of rebuilt) {
      have = have && delta ? applyDelta(have, delta) : workspace
      expect(have).toEqual(workspace)
      deltas += JSON.stringify(delta ?? workspace).length
      wholes += JSON.stringify(workspace).length
    }
    expect(deltas).toBeLessThan(0.5 * wholes)
  })
})

/** Least squares: tokens that a call adds. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const over = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return over / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}
