export const budgetTiers = [0, 1, 2, 3, 4, 5] as const
/** Budget tiers: 0 invariant, 1 task-critical, 2 evidence, 3 memory, 4 history, 5 reserve. */
export type BudgetTier = (typeof budgetTiers)[number]

export const authorities = ['system', 'developer', 'user', 'tool'] as const
/** Who an item speaks for; precedence falls from left to right. */
export type Authority = (typeof authorities)[number]

export const trusts = ['trusted', 'semi-trusted', 'untrusted'] as const
/** How far an item's text is trusted. */
export type Trust = (typeof trusts)[number]

/** The sections that every policy has; a host may add its own. */
export type KnownSection =
  | 'policy'
  | 'role'
  | 'task'
  | 'tools'
  | 'evidence'
  | 'memory'
  | 'situation'
  | 'history'
  | 'query'
  | 'reserve'

/** The section an item belongs to. Open: packs may add their own. */
export type Section = KnownSection | (string & {})

export interface SectionInfo {
  readonly section: KnownSection
  readonly tier: BudgetTier
  readonly authority: Authority
  /** Position in the logical order that manifests and plain text use. */
  readonly order: number
}

/** The ten sections that every vocabulary is mapped to, in logical order. */
export const sections: readonly SectionInfo[] = [
  { section: 'policy', tier: 0, authority: 'system', order: 0 },
  { section: 'role', tier: 0, authority: 'developer', order: 1 },
  { section: 'task', tier: 1, authority: 'developer', order: 2 },
  { section: 'tools', tier: 1, authority: 'developer', order: 3 },
  { section: 'evidence', tier: 2, authority: 'tool', order: 4 },
  { section: 'memory', tier: 3, authority: 'tool', order: 5 },
  { section: 'situation', tier: 3, authority: 'tool', order: 6 },
  { section: 'history', tier: 4, authority: 'user', order: 7 },
  { section: 'query', tier: 1, authority: 'user', order: 8 },
  { section: 'reserve', tier: 5, authority: 'system', order: 9 },
]

const byName = new Map<string, SectionInfo>(sections.map((info) => [info.section, info]))

/** Whether a section is one of the ten. */
export function isKnownSection(section: Section): section is KnownSection {
  return byName.has(section)
}

/** What is known about a section; a section that a pack added ranks as evidence, after the known ones. */
export function sectionInfo(section: Section): Omit<SectionInfo, 'section'> {
  return byName.get(section) ?? { tier: 2, authority: 'tool', order: sections.length }
}
