import type { Policy, Section, SectionBounds, SectionShare } from '../../core/index.ts'
import { safetySections } from './hard-sections.ts'
import type { Layer } from './layers.ts'

/** Weight of a section that only an override names. */
const strangerWeight = 0.3

type Origins = Map<string, string>

/** The shares of the window in a situation; `origins` is told by path where each figure is from. */
export function composeShares(policy: Policy, layers: readonly Layer[], origins: Origins): readonly SectionShare[] {
  const safety = safetySections(policy)
  const absorbs = policy.overrides?.zeroIsAbsorbing ?? true
  const shares = new Map<Section, SectionShare>(policy.shares.map((share) => [share.section, share]))
  const overridden = new Set<Section>()
  const absorbed = new Set<Section>()
  for (const { level, origin, changes } of layers)
    for (const change of changes.shares ?? []) {
      const { section } = change
      if (absorbed.has(section)) continue
      const before = shares.get(section) ?? { section, min: 0, max: 1, weight: strangerWeight }
      const isLarger = safety.has(section) && overridden.has(section)
      const next: { -readonly [Name in keyof SectionShare]: SectionShare[Name] } = { ...before }
      for (const name of ['min', 'max', 'weight'] as const) {
        const asked = change[name]
        if (asked === undefined || (isLarger && before[name] >= asked)) continue
        next[name] = asked
        origins.set(`shares.${section}.${name}`, origin)
      }
      shares.set(section, ordered(next, change.max === undefined))
      overridden.add(section)
      if (absorbs && change.max === 0 && (level === 'agentPhase' || level === 'lifecyclePhase')) absorbed.add(section)
    }
  return [...shares.values()]
}

/** A minimum above the maximum gives way to what was asked for last. */
function ordered(share: SectionShare, minWins: boolean): SectionShare {
  if (share.min <= share.max) return share
  return minWins ? { ...share, max: share.min } : { ...share, min: share.max }
}

/** Minimums that together promise more than the window has are scaled to it, the reserve taken off. */
export function withinWindow(shares: readonly SectionShare[], reserveShare: number): readonly SectionShare[] {
  const promised = shares.reduce((sum, { min }) => sum + min, 0)
  const room = 1 - reserveShare
  if (promised <= room + 1e-9) return shares
  return shares.map((share) => ({ ...share, min: (share.min * room) / promised }))
}

/** Bounds in tokens, put together by section: those that come later go first, member by member. */
export function mergedSections(lists: readonly (readonly SectionBounds[] | undefined)[]): readonly SectionBounds[] {
  const merged = new Map<Section, SectionBounds>()
  for (const bounds of lists.flatMap((list) => list ?? []))
    merged.set(bounds.section, boundsOf({ ...merged.get(bounds.section), ...bounds }, bounds.max === undefined))
  return [...merged.values()]
}

function boundsOf(bounds: SectionBounds, minWins: boolean): SectionBounds {
  const { min, max } = bounds
  if (min === undefined || max === undefined || min <= max) return bounds
  return minWins ? { ...bounds, max: min } : { ...bounds, min: max }
}
