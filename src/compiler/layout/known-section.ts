import type { KnownSection, Section } from '../../core/index.ts'
import { sections } from '../../core/index.ts'

const known: ReadonlySet<string> = new Set(sections.map(({ section }) => section))

export function isKnownSection(section: Section): section is KnownSection {
  return known.has(section)
}
