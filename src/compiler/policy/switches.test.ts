import { describe, expect, it } from 'vitest'
import type { CompileInput, Policy, ToolSchemaLevel } from '../../core/index.ts'
import { toolSchemaLevels } from '../../core/index.ts'
import { evidence, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from './profiles.ts'
import { composePolicy } from './compose-policy.ts'
import { withSettings, withTenants } from './apply-settings.ts'
import { tenantChanges } from './tenant-settings.ts'

/** White space counts, too. */
const quarters = { id: 'quarters', count: (text: string) => Math.ceil(text.length / 4) }
const compile = (given: CompileInput) => createCompiler({ tokenizer: quarters, hash: sha256 }).compile(given)

describe('C-023, C-026: switches by name', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['prompt_cache', 'maybe'],
    ['prompt_cache_enabled', 1],
    ['tool_schemas', 'harsh'],
    ['tool_schema_compression', ''],
    ['track_waste', 'yes'],
    ['context_waste_tracking', 0],
  ]
  it.each(wrong)('%s refuses %j', (name, value) => {
    expect(() => withSettings(careful, { [name]: value })).toThrow(`settings.${name}`)
    expect(() => tenantChanges({ [name]: value }, 'tenants.acme.metadata')).toThrow(`tenants.acme.metadata.${name}`)
  })

  it('C-027: those of a tenant go before those of all, and these before the defaults', () => {
    const off = withSettings(careful, { prompt_cache_enabled: 'false', tool_schema_compression: 'none' })
    const all = withTenants(off, { acme: tenantChanges({ prompt_cache: 'true', context_waste_tracking: 'true' }) })
    const of = ({ promptCache, toolSchemas, trackWaste }: Policy) => [promptCache, toolSchemas, trackWaste]
    expect(of(composePolicy(careful, { tenant: 'acme' }).policy)).toEqual([undefined, undefined, undefined])
    expect(of(composePolicy(all, { tenant: 'other' }).policy)).toEqual([false, 'none', undefined])
    expect(of(composePolicy(all, { tenant: 'acme' }).policy)).toEqual([true, 'none', true])
  })
})

describe('C-023: the level of tool schemas', () => {
  const tool = JSON.stringify(
    {
      name: 'find',
      description: `Finds files. ${words(20, 'more')}`,
      input_schema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: words(40, 'path') },
          deep: { type: 'boolean', description: words(20, 'deep') },
        },
        required: ['path'],
      },
    },
    null,
    2,
  )
  const schema = itemOf('tools', 'tool', tool, { kind: 'tool-schema', toolName: 'find' })
  const asks = itemOf('query', 'ask', 'Where is it?', { role: 'user' })

  /** The shortest form in which a definition is shown, however small the window. */
  function shortest(toolSchemas: ToolSchemaLevel | undefined, layout: CompileInput['layout']) {
    const policy = { ...careful, ...(toolSchemas && { toolSchemas }) }
    const sizes = Array.from({ length: 120 }, (_, at) => 1200 - 10 * at)
    const shown = sizes.flatMap((windowTokens) => {
      const items = [schema, asks, ...(layout === 'payload' ? [] : [evidence('e', words(10))])]
      const { pack } = compile({ items, layout, policy, budget: { windowTokens }, frame: { request: 'Where?' } })
      return pack?.entries.find(({ itemId }) => itemId === 'tool')?.text ?? []
    })
    return shown.toSorted((a, b) => a.length - b.length)[0] ?? ''
  }

  it.each(['payload', 'messages'] as const)('bounds how far they are shortened for want of room: %s', (layout) => {
    const [none, minify, truncate, aggressive] = toolSchemaLevels.map((level) => shortest(level, layout))
    expect(none).toBe(tool)
    expect(JSON.parse(minify!)).toEqual(JSON.parse(tool))
    expect(minify!.length).toBeLessThan(tool.length)
    expect(truncate).not.toContain('path0')
    expect(truncate).toContain('"deep"')
    expect(shortest(undefined, layout)).toBe(truncate)
    expect(JSON.parse(aggressive!)).toEqual({
      name: 'find',
      description: 'Finds files.',
      input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    })
  })
})

describe('C-023: without a prompt cache', () => {
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, at) => [
      itemOf('history', `c${at}`, '{}', { kind: 'tool-call', role: 'assistant', group: `g${at}`, toolName: 'read' }),
      itemOf('history', `r${at}`, Array.from({ length: 60 }, (__, line) => words(8, `r${at}l${line}x`)).join('\n'), {
        kind: 'tool-result',
        role: 'tool',
        group: `g${at}`,
        toolName: 'read',
      }),
    ]).flat()
  const asks = itemOf('query', 'ask', 'Go.', { role: 'user' })

  function session(promptCache: boolean) {
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const policy = { ...careful, promptCache }
    const turns: ReturnType<typeof compiler.compile>[] = []
    for (const count of [8, 9, 10, 11, 12]) {
      const { ledger } = turns.at(-1) ?? {}
      const given = { items: [asks, ...rounds(count)], layout: 'messages', policy, nowMs: 1000 * count } as const
      const budget = { windowTokens: 100_000 }
      turns.push(compiler.compile({ ...given, budget, handleKey: 'k', rehydration: true, ...(ledger && { ledger }) }))
    }
    return turns
  }

  it('every request is shown anew, as if nothing of it were cached, and its receipt says so', () => {
    const [on, off] = [session(true), session(false)]
    const causes = (turns: typeof on) => turns.slice(1).map(({ manifest }) => manifest.epoch?.cause)
    expect(new Set(causes(off))).toEqual(new Set(['cold-cache']))
    expect(causes(on)).not.toContain('cold-cache')
    const sum = (turns: typeof on) => turns.reduce((total, { manifest }) => total + manifest.packTokens, 0)
    expect(sum(off)).toBeLessThan(0.7 * sum(on))
    expect(off.map(({ manifest }) => manifest.promptCache)).toEqual([false, false, false, false, false])
    expect(on.some(({ manifest }) => 'promptCache' in manifest)).toBe(false)
  })
})

describe('G-066: the selection of tools', () => {
  /** Tools whose relevance falls, and whose usefulness rises. */
  const tools = Array.from({ length: 30 }, (_, at) =>
    itemOf('tools', `t${at}`, JSON.stringify({ name: `t${at}`, description: words(4, `d${at}x`), parameters: {} }), {
      kind: 'tool-schema',
      toolName: `t${at}`,
      scores: { relevance: 1 - at / 100, utility: at / 30 },
    }),
  )
  const taken = (settings: Readonly<Record<string, string>>) => {
    const policy = withSettings({ ...careful, rank: { ...careful.rank, relevance: 0, utility: 1 } }, settings)
    const given = { items: tools, layout: 'payload', policy, budget: { windowTokens: 60_000 } } as const
    const { pack } = compile({ ...given, frame: { request: 'Go.' } })
    return pack?.entries.map(({ itemId }) => Number(itemId.slice(1))).toSorted((a, b) => a - b)
  }
  const from = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at)

  it('the search limit bounds the candidates by their relevance, the most tools and their tokens what is taken of them', () => {
    expect(taken({})).toEqual(from(0, 30))
    expect(taken({ max_tools: '12' })).toEqual(from(18, 30))
    expect(taken({ max_tools: '12', tool_search_limit: '20' })).toEqual(from(8, 20))
    expect(taken({ max_tools: '12', tool_search_limit: '5' })).toEqual(from(0, 5))
    const few = taken({ max_tools: '12', tool_search_limit: '20', max_tool_tokens: '200' }) ?? []
    expect(few.length).toBeGreaterThan(0)
    expect(few.length).toBeLessThan(12)
    expect(few.every((at) => at >= 8 && at < 20)).toBe(true)
  })

  it.each(['max_tools', 'max_tool_tokens', 'tool_search_limit'])('%s refuses what is no count', (name) => {
    expect(() => withSettings(careful, { [name]: 'some' })).toThrow(`settings.${name}`)
  })
})
