import type { Layout, Policy, Section, SectionBounds } from '../../core/index.ts'
import { apportion } from '../budget/apportion.ts'
import { isHard } from './hard-sections.ts'

export interface FractionOptions {
  readonly policy: Policy
  readonly layout: Layout
  readonly windowTokens: number
  /** What the items of these sections take, whole. */
  tokensIn(sections: ReadonlySet<Section>): number
}

export interface FractionBounds {
  readonly sections: readonly SectionBounds[]
  /** What `reserve` comes to; 0 where it has no share. */
  readonly reserveTokens: number
}

/**
 * The normal form of a policy's fractions. What stands whole is taken off the budget at its size; the soft sections divide what
 * remains, to the token, but for those that have a minimum above their share, which they get. What has no share is shut out.
 */
export function fractionBounds({ policy, layout, windowTokens, tokensIn }: FractionOptions): FractionBounds {
  const { fractions = {}, softTokens = windowTokens } = policy
  const reserveTokens = Math.floor((fractions['reserve'] ?? 0) * softTokens)
  const names = Object.keys(fractions).filter((section) => section !== 'reserve')
  const hard = new Set<Section>(names.filter((section) => isHard(policy, section)))
  // Tools of a conversation stand at its front, where nobody touches them.
  const isOurs = (section: Section): boolean => layout === 'payload' || section !== 'tools'
  const soft = names.filter((section) => !hard.has(section))
  const pool = Math.max(0, Math.min(softTokens, windowTokens) - reserveTokens - tokensIn(hard))
  const leastOf = (section: Section): number => policy.sections?.find((bounds) => bounds.section === section)?.min ?? 0
  const shares = divided(
    soft.map((section) => ({ weight: fractions[section] ?? 0, least: leastOf(section) })),
    pool,
  )
  const shutOut = layout === 'payload' ? { max: 0, maxItems: 0 } : { max: 0 }
  const ofSoft = soft.map((section, index): SectionBounds | undefined => {
    if (!isOurs(section)) return undefined
    const isOut = (fractions[section] ?? 0) === 0
    return isOut ? { section, min: 0, ...shutOut } : { section, max: shares[index] ?? 0 }
  })
  const out = layout === 'payload' ? [...hard].filter((section) => fractions[section] === 0) : []
  const given = ofSoft.filter((bounds) => bounds !== undefined)
  return { sections: [...given, ...out.map((section) => ({ section, min: 0, ...shutOut }))], reserveTokens }
}

interface Claim {
  readonly weight: number
  readonly least: number
}

/** Whole tokens by weight, together all of them; who would get less than the least gets that, as far as there is any. */
function divided(claims: readonly Claim[], total: number): readonly number[] {
  const least = new Set<number>()
  for (;;) {
    const promised = [...least].reduce((sum, index) => sum + (claims[index]?.least ?? 0), 0)
    const weights = claims.map(({ weight }, index) => (least.has(index) ? 0 : weight))
    const shares = apportion(Math.max(0, total - promised), weights)
    const short = claims.findIndex(
      ({ weight, least: own }, index) => weight > 0 && !least.has(index) && (shares[index] ?? 0) < own,
    )
    if (short < 0) return shares.map((share, index) => (least.has(index) ? (claims[index]?.least ?? 0) : share))
    least.add(short)
  }
}
