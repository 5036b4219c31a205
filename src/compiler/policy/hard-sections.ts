import type { Policy, Section } from '../../core/index.ts'
import { sectionInfo, sections } from '../../core/index.ts'

/** Whether a section stands whole, whatever its fraction: tiers 0 and 1, tools excepted, which are selected. */
export function isHard(policy: Pick<Policy, 'sections'>, section: Section): boolean {
  const tier = policy.sections?.find((bounds) => bounds.section === section)?.tier ?? sectionInfo(section).tier
  return section !== 'tools' && tier <= 1
}

/** Sections for which the larger wins where several overrides name them. */
export function safetySections({ overrides, ...policy }: Pick<Policy, 'overrides' | 'sections'>): ReadonlySet<Section> {
  if (overrides?.safety !== undefined) return new Set(overrides.safety)
  const known = sections.filter(({ tier }) => tier === 0).map(({ section }) => section)
  const own = (policy.sections ?? []).filter(({ tier }) => tier === 0).map(({ section }) => section)
  return new Set<Section>([...known, ...own])
}
