import type { Affect, AffectRange, AffectRule, Policy, Section, Situation } from '../../core/index.ts'
import { isHard, safetySections } from './hard-sections.ts'
import { found } from './layers.ts'
import type { Layer } from './layers.ts'

/** The share of one section while overrides are put on it. */
interface Fraction {
  readonly value: number
  readonly origin: string
  /** Whether an override has named it. */
  readonly overridden: boolean
  /** A phase has set it to zero: nothing lifts it. */
  readonly absorbed: boolean
}

type State = ReadonlyMap<Section, Fraction>

export interface ComposedFractions {
  /** Together 1, unless all are zero. */
  readonly fractions: Readonly<Record<string, number>>
  readonly origins: ReadonlyMap<Section, string>
  /** Tokens that sections have at least. */
  readonly minTokens: ReadonlyMap<Section, number>
}

/** The fractions of a policy in a situation; undefined where neither it nor its tenant has any. */
export function composeFractions(
  policy: Policy,
  layers: readonly Layer[],
  situation: Situation,
): ComposedFractions | undefined {
  const base = baseOf(policy, layers)
  if (base === undefined) return undefined
  const safety = safetySections(policy)
  const absorbs = policy.overrides?.zeroIsAbsorbing ?? true
  const others = policy.fractions === undefined ? layers.filter(({ level }) => level !== 'tenant') : layers
  const overridden = others.reduce((state, layer) => withLayer(state, layer, { safety, absorbs }), base)
  const rules = (policy.overrides?.affect ?? []).filter(({ when }) => isFelt(when, situation.affect))
  const felt = withAffect(overridden, rules, policy.overrides?.affectFloor ?? 0)
  // An override that would leave nothing at all is none.
  const whole = normalised(felt) ?? normalised(base) ?? base
  const turned = withTurn(policy, whole, situation.turnPhase)
  return {
    fractions: Object.fromEntries(Array.from(turned, ([section, { value }]) => [section, value])),
    origins: new Map(Array.from(turned, ([section, { origin }]) => [section, origin])),
    minTokens: leastTokens(rules, turned),
  }
}

/** Those of the policy; where it has none, those that it has for its tenant alone. */
function baseOf({ fractions }: Policy, layers: readonly Layer[]): State | undefined {
  const ofTenant = layers.find(({ level }) => level === 'tenant')
  const origin = fractions === undefined ? ofTenant?.origin : 'base'
  const own = fractions ?? ofTenant?.changes.fractions
  if (own === undefined || origin === undefined) return undefined
  return new Map(
    Object.entries(own).map(([section, value]) => [
      section,
      { value: value ?? 0, origin, overridden: false, absorbed: false },
    ]),
  )
}

interface Rules {
  readonly safety: ReadonlySet<Section>
  readonly absorbs: boolean
}

function withLayer(state: State, { level, origin, changes }: Layer, { safety, absorbs }: Rules): State {
  const { fractions = {}, exclusive = false } = changes
  const absorbed = absorbs && (level === 'agentPhase' || level === 'lifecyclePhase')
  const next = new Map(state)
  if (exclusive)
    for (const [section, own] of state)
      if ((found(fractions, section) ?? 0) === 0)
        next.set(section, { ...own, value: 0, origin, overridden: true, absorbed })
  for (const [section, asked] of Object.entries(fractions)) {
    const before = next.get(section)
    if (asked === null || before?.absorbed === true) continue
    // Zero of an exclusive override is told already.
    if (exclusive && asked === 0) continue
    if (safety.has(section) && before?.overridden === true && before.value >= asked) continue
    next.set(section, { value: asked, origin, overridden: true, absorbed: absorbed && asked === 0 })
  }
  return next
}

function isFelt(when: AffectRule['when'], affect: Affect | undefined): boolean {
  if (affect === undefined) return false
  const isWithin = (range: AffectRange | undefined, value: number): boolean =>
    range === undefined || (value > (range.above ?? -Infinity) && value < (range.below ?? Infinity))
  return (
    isWithin(when.pleasure, affect.pleasure) &&
    isWithin(when.arousal, affect.arousal) &&
    isWithin(when.dominance, affect.dominance)
  )
}

/** What was at zero before stays there; everything else keeps at least the floor. */
function withAffect(state: State, rules: readonly AffectRule[], floor: number): State {
  const shifts = rules.flatMap(({ shift }) => (shift === undefined ? [] : [shift]))
  if (shifts.length === 0) return state
  return new Map(
    Array.from(state, ([section, own]) => {
      if (own.value === 0) return [section, own]
      const shift = shifts.reduce((sum, by) => sum + (found(by, section) ?? 0), 0)
      const value = Math.max(floor, own.value + shift, 0)
      return [section, value === own.value ? own : { ...own, value, origin: `${own.origin}, affect` }]
    }),
  )
}

function normalised(state: State): State | undefined {
  let sum = 0
  for (const { value } of state.values()) sum += value
  if (sum === 0) return undefined
  return new Map(Array.from(state, ([section, own]) => [section, { ...own, value: own.value / sum }]))
}

/** Hard sections keep their share; soft ones share what is left, moved by their factors. */
function withTurn(policy: Policy, state: State, turnPhase: string | undefined): State {
  const factors = found(policy.overrides?.turnPhase, turnPhase)
  if (factors === undefined) return state
  const isSoft = (section: Section): boolean => section !== 'reserve' && !isHard(policy, section)
  const factorOf = (section: Section): number => found(factors, section) ?? 1
  let before = 0
  let after = 0
  for (const [section, { value }] of state) {
    if (!isSoft(section)) continue
    before += value
    after += value * factorOf(section)
  }
  if (after === 0) return state
  return new Map(
    Array.from(state, ([section, own]) => {
      if (!isSoft(section)) return [section, own]
      const value = (own.value * factorOf(section) * before) / after
      return [section, { ...own, value, origin: `${own.origin}, turnPhase ${turnPhase}` }]
    }),
  )
}

/** Only where the section has a share at all. */
function leastTokens(rules: readonly AffectRule[], state: State): ReadonlyMap<Section, number> {
  const least = new Map<Section, number>()
  for (const { minTokens = {} } of rules)
    for (const [section, tokens] of Object.entries(minTokens))
      if ((state.get(section)?.value ?? 0) > 0) least.set(section, Math.max(tokens, least.get(section) ?? 0))
  return least
}
