import { describe, expect, it } from 'vitest'
import type { Policy } from '../../core/index.ts'
import { chat, chatInput, compiled, shownOf, summariesIn } from '../summaries/chats.fixture.ts'
import { composePolicy } from './compose-policy.ts'
import { agentPhasesPolicy, gateway128kPolicy } from './presets.ts'
import { careful } from './profiles.ts'
import { isSemantic } from './semantic-version.ts'
import { withSettings, withTenants } from './apply-settings.ts'
import { policySettingNames, tenantChanges } from './tenant-settings.ts'

const sample = {
  phase_overrides: {
    executing: { tools: 40, semantic: 15, working: 25, episodic: 10, procedural: 5, reserved: 5 },
  },
}

const fractionsOf = (metadata: Readonly<Record<string, unknown>>, agentPhase: string) =>
  composePolicy(withTenants(agentPhasesPolicy, { acme: tenantChanges(metadata) }), { tenant: 'acme', agentPhase })
    .policy.fractions

describe('what a tenant has otherwise', () => {
  it('C-018: the percentages of a phase by section, in their own words', () => {
    expect(fractionsOf({ context_policy: sample }, 'executing')).toEqual({
      tools: expect.closeTo(0.4, 12) as number,
      evidence: expect.closeTo(0.15, 12) as number,
      task: expect.closeTo(0.25, 12) as number,
      memory: expect.closeTo(0.15, 12) as number,
      reserve: expect.closeTo(0.05, 12) as number,
    })
  })

  it('C-018: what is not named keeps its default, and all of it is brought to 100', () => {
    const fractions = fractionsOf({ context_policy: { phase_overrides: { planning: { semantic: 85 } } } }, 'planning')!
    expect(fractions['evidence']).toBeCloseTo(0.85 / 1.5, 12)
    expect(fractions['tools']).toBeCloseTo(0.2 / 1.5, 12)
  })

  it('X-35, C-018, B-39: there zero means the default, unless it says otherwise', () => {
    const zero = { phase_overrides: { executing: { tools: 0 } } }
    expect(fractionsOf({ context_policy: zero }, 'executing')!['tools']).toBeCloseTo(0.4, 12)
    const removed = { ...zero, zero_means_default: false }
    expect(fractionsOf({ context_policy: removed }, 'executing')!['tools']).toBe(0)
  })

  it('B-43: plan, execute and review are planning, executing and reviewing', () => {
    const short = { phase_overrides: { plan: { semantic: 85 } } }
    expect(fractionsOf({ context_policy: short }, 'planning')!['evidence']).toBeCloseTo(0.85 / 1.5, 12)
    expect(fractionsOf({}, 'execute')).toEqual(fractionsOf({}, 'executing'))
  })

  it('C-003: every phase has percentages of its own, which add up to 100', () => {
    const phases = ['planning', 'executing', 'reviewing'].map((phase) => fractionsOf({}, phase)!)
    for (const fractions of phases)
      expect(Object.values(fractions).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(new Set(phases.map((fractions) => JSON.stringify(fractions))).size).toBe(3)
  })

  it('C-027: every figure of a policy by its name in lower case, also as a text, and by the names of other products', () => {
    const changes = tenantChanges({
      compression_threshold: '0.9',
      observation_mask_window: 2,
      overflow: 'fail-loud',
      rank_thrift: 0.2,
    })
    const { policy } = composePolicy(withTenants(careful, { acme: changes }), { tenant: 'acme' })
    expect(policy).toMatchObject({
      pressure: { prepare: 0.8, compress: 0.9, evict: 0.95 },
      epochs: { ...careful.epochs, keepFull: 2 },
      overflow: 'fail-loud',
      rank: { ...careful.rank, thrift: 0.2 },
    })
    expect(composePolicy(withTenants(careful, { acme: changes }), { tenant: 'other' }).policy.overflow).toBe(
      'cascade-compress',
    )
    const figures = [...Object.keys(careful.epochs), ...Object.keys(careful.rank), ...Object.keys(careful.floors)]
    expect(policySettingNames.length).toBeGreaterThanOrEqual(figures.length + 7)
  })

  it.each([
    [0.5, { prepare: 0.5, compress: 0.5, evict: 0.95, lowest: 0.5 }],
    ['0.7', { prepare: 0.7, compress: 0.7, evict: 0.95, lowest: 0.7 }],
    [0.8, { prepare: 0.8, compress: 0.8, evict: 0.95, lowest: 0.7 }],
    [0.9, { prepare: 0.8, compress: 0.9, evict: 0.95, lowest: 0.7 }],
    [0.96, { prepare: 0.8, compress: 0.96, evict: 0.96, lowest: 0.7 }],
  ])('C-027: a threshold of %s moves the other steps of pressure along', (threshold, steps) => {
    const given = { compression_threshold: threshold }
    const own = composePolicy(withTenants(careful, { acme: tenantChanges(given) }), { tenant: 'acme' }).policy
    expect(own.pressure).toEqual({ ...careful.pressure, ...steps })
    expect(withSettings(careful, given).pressure).toEqual(own.pressure)
  })

  it('a step that is named stays, and what then does not rise is refused by all names that make it so', () => {
    const wrong = { pressure_prepare: 0.8, compression_threshold: 0.7 }
    expect(() => withSettings(careful, wrong)).toThrow(
      'settings.pressure_prepare: with compression_threshold, pressure of careful does not rise: 0.8, 0.7, 0.95.',
    )
  })

  it('C-018: a policy without fractions has those of agent-phases for that tenant, and none for another', () => {
    const changes = tenantChanges({ context_policy: sample })
    const both = withTenants(withTenants(careful, { other: {} }), { acme: changes })
    const fractionsFor = (tenant: string, agentPhase: string) =>
      composePolicy(both, { tenant, agentPhase }).policy.fractions
    expect(fractionsFor('acme', 'executing')).toEqual(fractionsOf({ context_policy: sample }, 'executing'))
    expect(fractionsFor('acme', 'reviewing')).toEqual(fractionsOf({}, 'reviewing'))
    expect(fractionsFor('other', 'executing')).toBeUndefined()
    expect(
      composePolicy(withSettings(careful, { context_policy: sample }), { agentPhase: 'executing' }).policy.fractions,
    ).toEqual(fractionsFor('acme', 'executing'))
  })

  it('says everything that is wrong at once, a line for each', () => {
    const wrong = { pressure_lowest: 0.9, epochs_keep_full: -1, pressure_evict: 0.1, overflo: 'x' }
    const message = (work: () => unknown): string => {
      try {
        work()
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    const lines = message(() => withSettings(careful, wrong)).split('\n')
    expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'settings.epochs_keep_full',
      'settings.overflo',
      'settings.pressure_lowest',
      'settings.pressure_evict',
    ])
  })

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'a setting that there is not',
      { compresion_threshold: 1 },
      'metadata.compresion_threshold: is not a setting. Did you mean compression_threshold?',
    ],
    ['a wrong value', { compression_threshold: 'much' }, 'metadata.compression_threshold: is not a number from 0 to 1'],
    ['one out of range', { epochs_keep_full: -1 }, 'metadata.epochs_keep_full: is not a whole number'],
    ['a word that is none', { overflow: 'explode' }, 'metadata.overflow: is not one of'],
    [
      'a section that is none',
      { context_policy: { phase_overrides: { plan: { semantc: 5 } } } },
      'context_policy.phase_overrides.plan.semantc: is not a section. Did you mean semantic?',
    ],
    [
      'more than all',
      { context_policy: { phase_overrides: { plan: { tools: 500 } } } },
      'phase_overrides.plan.tools: is not a number from 0 to 100',
    ],
    ['something else', { context_policy: { phases: {} } }, 'metadata.context_policy.phase_overrides: is missing'],
  ])('C-027: refuses %s', (_, metadata, message) => {
    expect(() => tenantChanges(metadata)).toThrow(message)
  })
})

describe('C-025: the memory of a conversation, by the names of other products', () => {
  const summariesBy = (given: Readonly<Record<string, unknown>>): Policy['summaries'] =>
    withSettings(careful, given).summaries
  const on = { conversation_enabled: 'true' }

  it('is off unless it is switched on, and then has a window of five turns, one summary, and five bullets at most', () => {
    expect(careful.summaries).toBeUndefined()
    expect(summariesBy({ conversation_enabled: 'false' })).toEqual({ mode: 'off' })
    expect(summariesBy(on)).toEqual({ mode: 'oneshot', recentTurns: 5, bullets: 5 })
    const own = { conversation_window: '7', summary_mode: 'rolling', summary_max_bullets: 3 }
    const said = { mode: 'rolling', recentTurns: 7, bullets: 3 }
    expect([summariesBy({ ...on, ...own }), summariesBy({ ...own, ...on })]).toEqual([said, said])
    expect(summariesBy({ ...own, conversation_enabled: false })?.mode).toBe('off')
    expect(tenantChanges({ ...on, ...own }).summaries).toEqual(said)
  })

  it.each<[string, unknown]>([
    ['conversation_enabled', 'maybe'],
    ['conversation_window', 0],
    ['conversation_window', 'five'],
    ['summary_mode', 'brief'],
    ['summary_max_bullets', -1],
  ])('%s refuses %j', (name, value) => {
    expect(() => withSettings(careful, { [name]: value })).toThrow(`settings.${name}: is not`)
    expect(() => tenantChanges({ [name]: value }, 'tenants.acme.metadata')).toThrow(`tenants.acme.metadata.${name}`)
  })

  it('does what it says: older turns stand as a summary, the newest five as they were said', () => {
    const base = chatInput(chat(30), { max: 1200 })
    const result = (given: Readonly<Record<string, unknown>>) => {
      const { summaries: _, ...policy } = base.policy
      return compiled({ ...base, policy: withSettings(policy, given) })
    }
    const told = (given: Readonly<Record<string, unknown>>) => summariesIn(result(given))
    expect([told({}).length, told({ conversation_enabled: false }).length]).toEqual([0, 0])
    expect(told(on)).toHaveLength(1)
    const turns = Object.keys(shownOf(result(on))).filter((id) => id.startsWith('user'))
    expect(turns.slice(-5)).toEqual(['user26', 'user27', 'user28', 'user29', 'user30'])
    expect(turns.length).toBeLessThan(10)
    const rolling = Object.values(shownOf(result({ ...on, summary_mode: 'rolling', summary_max_bullets: 3 })))
    const [bullets = ''] = rolling.filter((text) => text.includes('<conversation_summary>'))
    expect(bullets.split('\n').filter((line) => line.startsWith('- ')).length).toBeLessThanOrEqual(3)
    expect(bullets).toContain('\n- ')
  })
})

describe('what settings say of a policy for everybody', () => {
  it('X-30: they hold where the policy says another figure, and its overrides go before them', () => {
    const policy = { ...careful, overrides: { taskClass: { review: { epochs: { keepFull: 9 } } } } }
    const set = withSettings(policy, { epochs_keep_full: '5', pressure_compress: '0.9', overflow: 'fail-loud' })
    expect(composePolicy(set).policy).toMatchObject({
      epochs: { ...careful.epochs, keepFull: 5 },
      pressure: { ...careful.pressure, compress: 0.9 },
      overflow: 'fail-loud',
    })
    expect(composePolicy(set, { taskClass: 'review' }).policy.epochs.keepFull).toBe(9)
    const tenant = withTenants(set, { acme: tenantChanges({ epochs_keep_full: 7 }) })
    expect(composePolicy(tenant, { tenant: 'acme' }).policy.epochs.keepFull).toBe(7)
  })

  it('P-031: the version says that figures were set, another for other figures, and is semantic', () => {
    const versions = [{ pressure_compress: 0.9 }, { pressure_compress: 0.91 }, { epochs_keep_full: 1 }].map(
      (settings) => withSettings(careful, settings).version,
    )
    expect(new Set([...versions, careful.version]).size).toBe(4)
    for (const version of versions) expect(isSemantic(version)).toBe(true)
    expect(withSettings(careful, {})).toBe(careful)
  })

  it('G-067, G-066: budget, turns, their summary and tools by the names of another product; the preset has its defaults', () => {
    const said = {
      context_budget: '50000',
      recent_turns: '4',
      summary_budget: '900',
      max_tools: '7',
      max_tool_tokens: '3000',
      tool_search_limit: '15',
    }
    const { policy } = composePolicy(withSettings(gateway128kPolicy, said))
    const section = (of: Policy, name: string) => of.sections?.find((one) => one.section === name)
    expect(policy.contextTokens).toBe(50_000)
    expect(section(policy, 'history')).toMatchObject({ recentTurns: 4, olderTokens: 900 })
    expect(section(policy, 'tools')).toMatchObject({ maxItems: 7, max: 3000, maxCandidates: 15 })
    expect(section(gateway128kPolicy, 'history')).toMatchObject({ recentTurns: 10, olderTokens: 2000 })
    expect(section(gateway128kPolicy, 'tools')).toMatchObject({ maxItems: 12, max: 8000, maxCandidates: 20 })
  })

  it('C-024: the mask of tool results has a switch and a window of results that stay whole', () => {
    expect(withSettings(careful, { observation_mask_enabled: 'false' }).epochs.lowestRung).toBe('lossless')
    expect(withSettings(careful, { observation_mask_enabled: 'true' }).epochs).toEqual(careful.epochs)
    expect(withSettings(careful, { observation_mask_window: '2' }).epochs.keepFull).toBe(2)
  })

  it('figures that contradict each other are refused', () => {
    expect(() => withSettings(careful, { pressure_evict: 0.8 })).toThrow(
      /^settings.pressure_evict: pressure of careful/,
    )
  })
})
