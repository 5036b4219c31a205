import type { BudgetRequest, SectionBudget } from '../../core/index.ts'
import { invalidInput, sectionRequestShape, shape } from '../../core/index.ts'

/** The input of `tierBudget`. Sizes are in tokens. */
export interface TierBudget {
  readonly windowTokens: number
  readonly outputTokens: number
  /** Sections in normal form, with their tiers and utilities. */
  readonly sections: readonly SectionBudget[]
}

const optionsShape = shape.object<TierBudget>({
  windowTokens: shape.countFrom(1),
  outputTokens: shape.count,
  sections: shape.list(sectionRequestShape as shape.Shape<SectionBudget>),
})

/** Tiers with utilities: the normal form itself, checked. */
export function tierBudget(options: TierBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, outputTokens, sections } = options
  const seen = new Set<string>()
  let floors = outputTokens
  for (const [index, section] of sections.entries()) {
    const at = `sections[${index}]`
    if (seen.has(section.section)) throw invalidInput(`${at}.section`, 'stands twice', 'Give each section once.')
    seen.add(section.section)
    if (!(section.min >= 0 && section.min <= section.max))
      throw invalidInput(
        `${at}.min`,
        `is not between 0 and ${section.max}`,
        'Give a minimum that is at most the maximum.',
      )
    if (!(section.weight >= 0 && section.weight <= 1))
      throw invalidInput(`${at}.weight`, 'is not a weight', 'Give a number from 0 to 1.')
    if (!(section.alpha > 0)) throw invalidInput(`${at}.alpha`, 'is not above 0', 'Give a number above 0.')
    if (!(section.beta > 0)) throw invalidInput(`${at}.beta`, 'is not above 0', 'Give a number above 0.')
    floors += section.min
  }
  if (floors > windowTokens)
    throw invalidInput('sections', `need ${floors} tokens at least, output included`, `The window has ${windowTokens}.`)
  return { windowTokens, maxOutputTokens: outputTokens, sections }
}
