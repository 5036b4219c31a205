import { describe, expect, it } from 'vitest'
import type { CompileInput, Item, Manifest } from '../../core/index.ts'
import { itemOf, sha256, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from './profiles.ts'
import { withSettings, withTenants } from './apply-settings.ts'
import { tenantChanges } from './tenant-settings.ts'

/** White space counts, too. */
const tokenizer = { id: 'quarters', count: (text: string) => Math.ceil(text.length / 4) }

const rows = (name: string) =>
  JSON.stringify(
    Array.from({ length: 40 }, (_, at) => ({ id: `${name}-${at}`, note: words(3, `${name}${at}x`) })),
    null,
    4,
  )

const tool = itemOf(
  'tools',
  'tool',
  JSON.stringify({
    name: 'find',
    description: 'Finds files.',
    input_schema: { type: 'object', properties: { path: { type: 'string', description: words(300, 'path') } } },
  }),
  { kind: 'tool-schema', toolName: 'find' },
)

const rounds = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at) => [
    itemOf('history', `c${at}`, '{}', { kind: 'tool-call', role: 'assistant', group: `g${at}`, toolName: 'find' }),
    itemOf('history', `r${at}`, rows(`r${at}`), {
      kind: 'tool-result',
      role: 'tool',
      group: `g${at}`,
      toolName: 'find',
    }),
  ]).flat()

const items: readonly Item[] = [tool, itemOf('query', 'ask', 'Go.', { role: 'user' }), ...rounds(8)]

type Settings = Readonly<Record<string, unknown>>

function receiptOf(settings: Settings, changes: Partial<CompileInput> = {}): Manifest {
  const policy = withSettings(careful, settings)
  const given = { items, layout: 'messages', policy, budget: { windowTokens: 12_000 }, rehydration: true } as const
  return createCompiler({ tokenizer, hash: sha256 }).compile({ ...given, handleKey: 'key', ...changes }).manifest
}

const rungs = (manifest: Manifest, rung: string): number =>
  manifest.decisions.filter((decision) => decision.rung === rung).length
const tokensOf = (manifest: Manifest, section: string): number =>
  manifest.sections.find((one) => one.section === section)?.usedTokens ?? 0

interface Feature {
  readonly name: string
  readonly off: Settings
  readonly on: Settings
  readonly changes?: Partial<CompileInput>
  /** What its receipt says of it; more where it is on. */
  measure(manifest: Manifest): number
}

const features: readonly Feature[] = [
  {
    name: 'masking of observations',
    off: { observation_mask_enabled: 'false', epochs_line_worth: '1' },
    on: { observation_mask_enabled: 'true', epochs_line_worth: '1' },
    changes: { budget: { windowTokens: 30_000 } },
    measure: (manifest) => rungs(manifest, 'line') + rungs(manifest, 'trimmed'),
  },
  {
    name: 'compression of schemas',
    off: { tool_schema_compression: 'none' },
    on: { tool_schema_compression: 'truncate' },
    changes: { items: [tool, itemOf('query', 'ask', 'Go.', { role: 'user' })], budget: { windowTokens: 700 } },
    measure: (manifest) => manifest.originalTokens - tokensOf(manifest, 'tools'),
  },
  {
    name: 'turns that stand verbatim',
    off: {},
    on: { recent_turns: '1', summary_budget: '100' },
    changes: {
      items: Array.from({ length: 6 }, (_, at) => [
        itemOf('history', `u${at}`, words(80, `u${at}x`), { role: 'user' }),
        itemOf('history', `a${at}`, words(80, `a${at}x`), { role: 'assistant' }),
      ]).flat(),
      budget: { windowTokens: 30_000 },
    },
    measure: (manifest) => manifest.decisions.filter(({ rung }) => rung !== 'full').length,
  },
  {
    name: 'proactive compression',
    off: { observation_mask_enabled: 'false', lossless_forms: 'false' },
    on: { observation_mask_enabled: 'false', lossless_forms: 'false', relief: 'proactive' },
    changes: { budget: { windowTokens: 6_000 } },
    measure: ({ relief }) => relief?.steps.length ?? 0,
  },
  {
    name: 'detection of waste',
    off: { context_waste_tracking: 'false' },
    on: { context_waste_tracking: 'true' },
    changes: { budget: { windowTokens: 60_000 } },
    measure: ({ waste }) => waste?.unusedItems ?? -1,
  },
  {
    name: 'cheap serialisation',
    off: { lossless_forms: 'false' },
    on: { lossless_forms: 'true' },
    changes: { budget: { windowTokens: 60_000 } },
    measure: (manifest) => rungs(manifest, 'lossless'),
  },
]

describe('C-001: features have a switch, and a measure in the receipt that tells whether they are on', () => {
  it.each(features)('$name', ({ off, on, changes, measure }) => {
    const [without, withIt] = [receiptOf(off, changes), receiptOf(on, changes)]
    expect([without.outcome, withIt.outcome].every((outcome) => outcome === 'ok')).toBe(true)
    expect(measure(withIt)).toBeGreaterThan(measure(without))
  })

  it('policies of tenants: the receipt names what holds', () => {
    const policy = withTenants(careful, { acme: tenantChanges({ epochs_keep_full: 9 }) })
    const of = (tenant: string) => receiptOf({}, { policy, situation: { tenant } }).overrides
    expect([of('acme'), of('other')]).toEqual([['tenant acme'], undefined])
  })

  it('a prompt cache that is left alone: the receipt says so', () => {
    expect(receiptOf({ prompt_cache_enabled: 'false' }).promptCache).toBe(false)
    expect('promptCache' in receiptOf({})).toBe(false)
  })
})
