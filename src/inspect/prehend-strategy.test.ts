import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entriesOf, ledgerKeys } from '../compiler/index.ts'
import { rehydrateTool } from '../sessions/index.ts'
import { bareOverhead } from './counting.ts'
import { prehend } from './prehend-strategy.ts'
import { renderer } from './render.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { CompileInput, CompileResult, Ledger, PackEntry, Policy } from '../core/index.ts'
import type { ToolCharge } from './prehend-strategy.ts'
import type { TraceMessage, TraceRequest } from './trace.ts'

const trace = asTrace(
  's',
  sessionRequests(
    {
      messages: [
        { role: 'user', content: 'task', ts: 1_700_000_000 },
        { role: 'assistant', tool_calls: [{ id: 'c1', name: 'ls', arguments: '{}' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a long listing', ts: 1_700_000_009 },
        { role: 'assistant', content: 'done' },
      ],
    },
    { file: 'x', line: 1, field: '' },
  ),
)

const definition = JSON.stringify(rehydrateTool.definition)
const counting = { count: (text: string): number => text.length, overhead: bareOverhead((text) => text.length) }

const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 1000 }

/** A compiler that shows every item as told, needs the tool from a request on, and remembers what it was asked. */
function compilerOf(show: (entry: PackEntry) => PackEntry | undefined, needed = 1) {
  const inputs: CompileInput[] = []
  const compile = (input: CompileInput): CompileResult => {
    inputs.push(input)
    const entries = input.items.flatMap((item) => {
      const { id: itemId, section, text } = item
      return show({ itemId, section, text, tokens: text.length, rung: 'full' }) ?? []
    })
    const ledger = { turns: inputs.length, entries: [] } as unknown as Ledger
    const pack = { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 0, hash: '' } as const
    const manifest = { decisions: [], ...(inputs.length === needed && { offers: true }) }
    return { outcome: { kind: 'ok' }, pack, ledger, events: [], manifest, budget: {} } as unknown as CompileResult
  }
  return { inputs, compile }
}

function sentBy(show: (entry: PackEntry) => PackEntry | undefined, needed = 1) {
  const { inputs, compile } = compilerOf(show, needed)
  const strategy = prehend({
    name: 'prehend:test',
    policy: {} as Policy,
    prices,
    openCompiler: () => ({ compile }),
    windowTokens: 1000,
    chargeTool: 'always',
  })
  const run = strategy.start(renderer(counting))
  return { inputs, run, sent: trace.requests.map((request) => run.next(request)) }
}

describe('prehend strategy', () => {
  it('pays for its tool definition from the request on that needs it', () => {
    const tool = expect.objectContaining({ text: definition, tokens: definition.length })
    const task = expect.objectContaining({ sourceId: 'm0' })
    expect(sentBy((entry) => entry).sent.map(([first]) => first)).toEqual([tool, tool])
    expect(sentBy((entry) => entry, 2).sent.map(([first]) => first)).toEqual([task, tool])
    const { sent, inputs } = sentBy((entry) => entry, 3)
    expect(sent.map(([first]) => first)).toEqual([task, task])
    expect(inputs.map(({ budget }) => budget.offerTokens)).toEqual([definition.length, definition.length])
    expect(sentBy((entry) => entry).inputs.map(({ budget }) => budget)).toEqual([
      { windowTokens: 1000, overheadTokens: 0, offerTokens: definition.length },
      { windowTokens: 1000, overheadTokens: 'ls'.length + definition.length, ownTokens: definition.length },
    ])
  })

  it("pays where the agent's own definitions are recorded, and only there", () => {
    const options = {
      name: 'p',
      policy: {} as Policy,
      prices,
      openCompiler: () => compilerOf((entry) => entry),
      windowTokens: 1000,
    }
    const first = (chargeTool: ToolCharge, request: TraceRequest | undefined) =>
      prehend({ ...options, chargeTool })
        .start(renderer(counting))
        .next(request ?? { messages: [], atMs: 0 })[0]?.text
    const [bare] = trace.requests
    const tools: TraceMessage = { id: 'tools', role: 'system', items: [] }
    const withTools = bare && { ...bare, messages: [tools, ...bare.messages] }
    expect(first('recorded', withTools)).toBe(definition)
    expect(first('recorded', bare)).not.toBe(definition)
    expect(first('never', withTools)).not.toBe(definition)
  })

  it('carries the ledger from request to request and tells the time of the trace', () => {
    const { inputs } = sentBy((entry) => entry)
    expect(inputs.map((input) => input.ledger)).toEqual([undefined, { turns: 1, entries: [] }])
    expect(inputs.map((input) => input.nowMs)).toEqual([1_700_000_000_000, 1_700_000_009_000])
    expect(inputs[0]).toMatchObject({ layout: 'messages', rehydration: true, prices })
  })

  it('sends what did not change as the same message, so that nothing is counted twice', () => {
    const { sent } = sentBy((entry) => entry)
    expect(sent[1]?.[1]).toBe(sent[0]?.[1])
  })

  it('measures changed texts itself and finds their handles', () => {
    const short = { text: 'short', tokens: 1, handle: 'h1' }
    const { sent, run } = sentBy((entry) => (entry.itemId === 'm2.0' ? { ...entry, ...short } : entry))
    expect(sent[1]?.[3]).toMatchObject({ text: 'short', tokens: 5, sourceId: 'm2', observation: true })
    expect(run.handleOf?.('m2')).toBe('h1')
    expect(run.handleOf?.('m0')).toBeUndefined()
  })

  it('leaves out messages of which nothing is packed', () => {
    const { sent } = sentBy((entry) => (entry.itemId === 'm2.0' ? undefined : entry))
    expect(sent[1]?.map((message) => message.sourceId)).toEqual(['', 'm0', 'm1'])
  })

  it('sends everything where no pack fits', () => {
    const compile = () =>
      ({ outcome: { kind: 'budget-exhausted' }, ledger: { entries: [] }, manifest: {} }) as unknown as CompileResult
    const strategy = prehend({
      name: 'p',
      policy: {} as Policy,
      prices,
      openCompiler: () => ({ compile }),
      windowTokens: 1,
      chargeTool: 'always',
    })
    const sent = strategy.start(renderer(counting)).next(trace.requests[1] ?? { messages: [], atMs: 0 })
    expect(sent.map((message) => message.text)).toEqual(['task', 'ls {}', 'a long listing'])
  })

  it('has a ledger for each way that a session goes, as the gateway has', () => {
    const { inputs, compile } = keyed()
    const run = prehend({
      name: 'p',
      policy: {} as Policy,
      prices,
      openCompiler: () => ({ compile }),
      windowTokens: 1000,
      chargeTool: 'never',
    }).start(renderer(counting))
    const said = (role: 'user' | 'assistant', text: string): TraceMessage => ({
      id: text,
      role,
      items: [{ id: text, section: 'history', kind: 'text', role, text }],
    })
    const common = [said('user', 'task'), said('assistant', 'plan')]
    const left = [...common, said('user', 'left'), said('assistant', 'went left')]
    const right = [...common, said('user', 'right')]
    for (const messages of [common, left, right, [...left, said('user', 'on')]]) run.next({ messages, atMs: 0 })
    const known = inputs.map(({ ledger }) => ledger && entriesOf(ledger).length)
    expect(known).toEqual([undefined, 2, 2, 4])
  })
})

/** A compiler whose ledgers know what they have seen, as the real one's do. */
function keyed() {
  const inputs: CompileInput[] = []
  const keysOf = ledgerKeys((text) => hash('sha256', text))
  const compile = (input: CompileInput): CompileResult => {
    inputs.push(input)
    const entries = keysOf(input.items).map((key) => ({ key, rung: 'full', tokens: 1, originalTokens: 1 }))
    return {
      outcome: { kind: 'ok' },
      ledger: { layout: 'messages', entries },
      manifest: { decisions: [] },
    } as unknown as CompileResult
  }
  return { inputs, compile }
}
