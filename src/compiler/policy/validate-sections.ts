import type { Policy, Section } from '../../core/index.ts'
import { invalidInput, isKnownSection, sections, suggest } from '../../core/index.ts'

const known = sections.map(({ section }) => section)

/** Throws where a section that nobody knows is named so much like one that there is, that it is taken for a slip of the pen. */
export function requireNoSlip(section: Section, field: string): void {
  if (isKnownSection(section)) return
  const meant = suggest(section, known)
  if (meant === undefined) return
  const remedy = `Did you mean ${meant}? A section of your own needs a name that is less like one of ${known.join(', ')}.`
  throw invalidInput(field, `there is no section ${section}`, remedy)
}

/** Throws where what a policy gives its sections is misspelt, given twice, or more than there can be. */
export function requireSections({ shares, sections: bounds = [], contextTokens }: Policy): void {
  requireEachOnce(shares, 'policy.shares')
  requireEachOnce(bounds, 'policy.sections')
  const promised = bounds.reduce((sum, { min = 0 }) => sum + min, 0)
  if (contextTokens === undefined || promised <= contextTokens) return
  const remedy = `Let the minimums come to ${contextTokens} at most, or raise contextTokens.`
  throw invalidInput('policy.sections', `promise ${promised} tokens of ${contextTokens}`, remedy)
}

/** In lists of overrides, too. */
export function requireEachOnce(list: readonly { readonly section: Section }[], field: string): void {
  const seen = new Map<Section, number>()
  for (const [index, { section }] of list.entries()) {
    requireNoSlip(section, `${field}[${index}].section`)
    const first = seen.get(section)
    if (first !== undefined)
      throw invalidInput(`${field}[${index}].section`, `${section} stands at ${field}[${first}], too`, 'Name it once.')
    seen.set(section, index)
  }
}
