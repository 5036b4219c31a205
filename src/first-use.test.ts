import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { CompileRequest, Outcome, Pack, Policy, PolicyChoice, PolicyName, SessionOptions } from './index.ts'
import { compile, compileAgain, createCompiler, evidence, openSession, policies, verifyManifest } from './index.ts'

const long = (index: number): string =>
  `Report ${index}: ${'the build broke after a change of the linker. '.repeat(12)}`
const reports = Array.from({ length: 41 }, (_, index) => evidence(long(index), `report-${index}`))
const asked = (windowTokens: number, more: Partial<CompileRequest> = {}) =>
  compile({ items: reports, budget: { windowTokens }, frame: { request: 'Why does the build fail?' }, ...more })

describe('the result of a compile', () => {
  it('`kind` narrows pack and outcome, destructured or not', () => {
    const result = asked(8_000)
    if (result.kind === 'ok') expectTypeOf(result.pack).toEqualTypeOf<Pack>()
    if (result.kind === 'paginated') expectTypeOf(result.outcome.pages).toEqualTypeOf<readonly Pack[]>()
    if (result.pack !== undefined) expectTypeOf(result.kind).toEqualTypeOf<'ok' | 'retrieval-pending' | 'paginated'>()
    const { kind, outcome, pack } = asked(8_000)
    if (kind === 'ok') {
      expectTypeOf(pack).toEqualTypeOf<Pack>()
      expectTypeOf(outcome).toEqualTypeOf<Extract<Outcome, { readonly kind: 'ok' }>>()
    }
    if (kind === 'budget-exhausted') expectTypeOf(pack).toEqualTypeOf<undefined>()
  })

  it.each([600, 3_000, 8_000, 100_000])('a window of %i says how many items are left out', (windowTokens) => {
    const { kind, outcome, pack, manifest } = asked(windowTokens)
    if (kind !== 'ok') throw new Error(kind)
    const shown = new Set(pack.entries.map(({ itemId }) => itemId))
    expect(outcome.omitted).toBe(reports.filter(({ id }) => !shown.has(id)).length)
    expect(outcome.omitted).toBe(manifest.decisions.filter(({ rung }) => rung === 'omitted').length)
    expect(outcome.omitted > 30).toBe(windowTokens === 600)
  })

  it('a duplicate is not counted: its words are in the pack', () => {
    const twice = [...reports.slice(0, 2), evidence(long(0), 'report-0', { id: 'again' })]
    const { outcome, manifest } = asked(8_000, { items: twice })
    expect(manifest.decisions.map(({ rung }) => rung)).toContain('omitted')
    expect(outcome).toEqual({ kind: 'ok', omitted: 0 })
  })

  it('has a pack exactly where its kind says so, and the kind is that of the outcome', () => {
    const policy: Policy = { ...policies.careful, id: 'loud', overflow: 'fail-loud' }
    const results = [
      asked(8_000),
      asked(600, { policy }),
      asked(3_000, { policy: { ...policy, overflow: 'paginate' } }),
    ]
    expect(results.map(({ kind }) => kind)).toEqual(['ok', 'budget-exhausted', 'paginated'])
    for (const { kind, outcome, pack } of results) {
      expect(kind).toBe(outcome.kind)
      expect(pack !== undefined).toBe(kind === 'ok' || kind === 'paginated')
    }
  })
})

describe('policies by name', () => {
  it('are a type, and are taken wherever a policy is', () => {
    expectTypeOf<SessionOptions['policy']>().toEqualTypeOf<PolicyChoice | undefined>()
    expectTypeOf<CompileRequest['policy']>().toEqualTypeOf<PolicyChoice | undefined>()
    expectTypeOf<'thrifty' | 'careful'>().toExtend<PolicyName>()
    expectTypeOf<'thrify'>().not.toExtend<PolicyName>()
    expectTypeOf(policies.thrifty).toEqualTypeOf<Policy>()
    for (const name of Object.keys(policies) as PolicyName[]) expect(policies[name].id).toBe(name)
  })

  it('compile as the policy itself does, by `compile`, by a compiler and again', () => {
    const byValue = asked(3_000, { policy: policies.thrifty })
    const input: CompileRequest = {
      items: reports,
      budget: { windowTokens: 3_000 },
      frame: { request: 'Why does the build fail?' },
      policy: 'thrifty',
    }
    expect(asked(3_000, { policy: 'thrifty' }).manifest).toEqual(byValue.manifest)
    expect(createCompiler({ model: 'gpt-4.1' }).compile(input).manifest).toEqual(byValue.manifest)
    expect(compileAgain(input, byValue.manifest).pack?.hash).toBe(byValue.pack?.hash)
    expect(typeof openSession({ policy: 'thrifty' }).pack).toBe('function')
  })

  it('a receipt of a compile by name verifies', () => {
    const input = {
      items: reports,
      budget: { windowTokens: 3_000 },
      frame: { request: 'Why?' },
      policy: 'thrifty',
    } as const
    const { manifest } = compile(input)
    const { verified } = verifyManifest({ input, manifest, compile: (same) => compileAgain(same, manifest) })
    expect(verified).toBe(true)
  })
})

it('a conversation that is long when a session first sees it is shortened in that request', async () => {
  const { messages } = JSON.parse(readFileSync('examples/session.jsonl', 'utf8')) as {
    readonly messages: readonly object[]
  }
  const parameters = { type: 'object', properties: { command: { type: 'string' } } }
  const tools = [{ type: 'function', function: { name: 'bash', description: 'Runs a command.', parameters } }]
  const request = { model: 'gpt-5', tools, messages }
  const { body } = await openSession().pack(request)
  expect(body.length).toBeLessThan(0.5 * JSON.stringify(request).length)
})
