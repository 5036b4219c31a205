import type { Policy, PolicyChanges, PolicyOverrides, Section } from '../../core/index.ts'
import { invalidInput, isKnownSection, sections, didYouMean } from '../../core/index.ts'
import { everyOverride } from './every-override.ts'
import type { WrittenOverride } from './every-override.ts'
import { found } from './layers.ts'
import { requireVersion } from './semantic-version.ts'
import { safetySections } from './hard-sections.ts'
import { requireStrategy, requireTier } from './validate-choices.ts'
import { requireEachOnce, requireSections } from './validate-sections.ts'
import { requireSummaries } from './validate-summaries.ts'

/**
 * Throws `invalid-input` that names what in a policy of the right shape contradicts itself, cannot be, or names a section that
 * there is not. Paths begin with `policy`.
 */
export function validateAdaptive(policy: Policy): void {
  requireVersion(policy.version, 'policy.version')
  requireRising(policy.pressure, 'policy')
  requireSections(policy)
  const zero = negativeZeroIn(policy, 'policy')
  if (zero !== undefined) throw invalidInput(zero, 'is negative zero', 'Write 0, or leave it out.')
  const { fractions, overrides } = policy
  const requireSection = sectionChecker(policy)
  for (const [section, share] of Object.entries(fractions ?? {})) {
    requireSection(section, `policy.fractions.${section}`)
    if (!(share <= 1)) throw invalidInput(`policy.fractions.${section}`, 'is not a share', 'Give a number from 0 to 1.')
  }
  if (fractions !== undefined && !Object.values(fractions).some((share) => share > 0))
    throw invalidInput('policy.fractions', 'are all 0', 'Give at least one section a share.')
  requireRank(policy.rank, 'policy.rank', requireSection)
  requirePayload(policy.payload, 'policy.payload', requireSection)
  requireSteps(policy.relief, 'policy.relief')
  requireSummaries(policy)
  requireGates(policy.quality, 'policy.quality')
  requireStrategy(policy, policy.retrieval, 'policy.retrieval')
  if (overrides === undefined) return
  const written = everyOverride(overrides)
  const rules = { requireSection, safety: safetySections(policy) }
  for (const override of written) requireOverride(policy, override, rules)
  requireCommonGround(written)
  requireRules(policy, overrides, requireSection)
}

/** Where it is; JSON can say it, and it would compare as 0 and be written as another. */
function negativeZeroIn(value: unknown, at: string): string | undefined {
  if (Object.is(value, -0)) return at
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const place = negativeZeroIn(member, `${at}.${name}`)
    if (place !== undefined) return place
  }
  return undefined
}

type RequireSection = (section: Section, field: string) => void

/** Sections that a policy may speak of: the ten, and those of its own that its shares or its bounds name. */
function sectionChecker({ shares, sections: bounds = [] }: Policy): RequireSection {
  const own = new Set<Section>([...shares, ...bounds].map(({ section }) => section))
  return (section, field) => {
    if (isKnownSection(section) || own.has(section)) return
    const names = [...new Set([...sections.map((known) => known.section), ...own])]
    throw invalidInput(
      field,
      `there is no section ${section}`,
      `${didYouMean(section, names)}Use one of ${names.join(', ')}, or name it in the policy's shares or sections first.`,
    )
  }
}

function requireRank(rank: PolicyChanges['rank'], field: string, requireSection: RequireSection): void {
  for (const section of Object.keys(rank?.sections ?? {})) requireSection(section, `${field}.sections.${section}`)
}

const placed: ReadonlySet<Section> = new Set(['evidence', 'memory', 'situation'])
const movable: ReadonlySet<Section> = new Set(['tools', 'evidence', 'memory', 'history'])

/** What a payload has in another order than the usual must be what it can have in another. */
function requirePayload(payload: PolicyChanges['payload'], field: string, requireSection: RequireSection): void {
  const { placement = {}, last = [] } = payload ?? {}
  const requireAmong = (section: Section, at: string, known: ReadonlySet<Section>): void => {
    requireSection(section, at)
    if (!isKnownSection(section) || known.has(section)) return
    throw invalidInput(at, `${section} has a fixed place`, `Use ${[...known].join(', ')} or a section of your own.`)
  }
  for (const section of Object.keys(placement)) requireAmong(section, `${field}.placement.${section}`, placed)
  for (const [index, section] of last.entries()) {
    requireAmong(section, `${field}.last[${index}]`, movable)
    if (last.indexOf(section) < index)
      throw invalidInput(`${field}.last[${index}]`, 'stands twice', 'Name each section once.')
  }
}

/** A step that has been taken as far as it goes has nothing left to do. */
function requireSteps(relief: PolicyChanges['relief'], field: string): void {
  if (relief === undefined || typeof relief === 'string') return
  for (const [index, step] of relief.entries())
    if (relief.indexOf(step) < index) throw invalidInput(`${field}[${index}]`, 'stands twice', 'Name each step once.')
}

/** A gate that nothing can pass is a mistake. */
function requireGates(quality: PolicyChanges['quality'], field: string): void {
  for (const [measure, { least = 0, most = 1 }] of Object.entries(quality?.gates ?? {}))
    if (least > most)
      throw invalidInput(
        `${field}.gates.${measure}`,
        `has least ${least} above most ${most}`,
        'Let least be at most most.',
      )
}

interface OverrideRules {
  readonly requireSection: RequireSection
  readonly safety: ReadonlySet<Section>
}

function requireOverride(
  policy: Policy,
  { at, level, tenant, changes }: WrittenOverride,
  { requireSection, safety }: OverrideRules,
): void {
  const field = `policy.${at}`
  const { fractions = {}, shares = [], sections: bounds = [] } = changes
  for (const section of Object.keys(fractions)) requireSection(section, `${field}.fractions.${section}`)
  for (const [index, { section }] of shares.entries()) requireSection(section, `${field}.shares[${index}].section`)
  for (const [index, { section }] of bounds.entries()) requireSection(section, `${field}.sections[${index}].section`)
  requireEachOnce(shares, `${field}.shares`)
  requireEachOnce(bounds, `${field}.sections`)
  requireRank(changes.rank, `${field}.rank`, requireSection)
  requirePayload(changes.payload, `${field}.payload`, requireSection)
  requireSteps(changes.relief, `${field}.relief`)
  requireGates(changes.quality, `${field}.quality`)
  if (level === 'modelTier') requireTier(changes, field)
  requireStrategy(policy, changes.retrieval, `${field}.retrieval`)
  if (changes.fractions !== undefined && level !== 'tenant' && !hasFractions(policy, tenant))
    throw invalidInput(
      `${field}.fractions`,
      'override fractions that the policy does not have',
      'Give the policy fractions, extend one that has them, such as agent-phases, or override its shares.',
    )
  if ((changes.reserveShare ?? 0) >= 1)
    throw invalidInput(`${field}.reserveShare`, 'leaves no room for a request', 'Give less than 1.')
  if (changes.exclusive === true && !Object.values(fractions).some((share) => (share ?? 0) > 0))
    throw invalidInput(
      `${field}.exclusive`,
      'gives everything to nothing',
      'Name in fractions what is to have all of the budget.',
    )
  requireSafety(safety, field, changes)
  requireShares(policy, field, changes)
}

/** A tenant may have fractions where the policy has none; its own phases and tasks then override them. */
function hasFractions({ fractions, overrides }: Policy, tenant: string | undefined): boolean {
  return fractions !== undefined || found(overrides?.tenant, tenant)?.fractions !== undefined
}

/** What is there for safety cannot be taken away by name. */
function requireSafety(
  safety: ReadonlySet<Section>,
  field: string,
  { fractions = {}, shares = [] }: PolicyChanges,
): void {
  const remedy = 'Leave it out of overrides.safety, or give it a share.'
  for (const [section, share] of Object.entries(fractions))
    if (share === 0 && safety.has(section))
      throw invalidInput(`${field}.fractions.${section}`, 'takes away a section that is there for safety', remedy)
  for (const [index, { section, max }] of shares.entries())
    if (max === 0 && safety.has(section))
      throw invalidInput(`${field}.shares[${index}].max`, `takes away ${section}, which is there for safety`, remedy)
}

/** What an override says must be possible by itself; several that are not possible together are scaled. */
function requireShares(policy: Policy, field: string, changes: PolicyChanges): void {
  const { shares = [], sections: bounds = [], reserveShare = policy.reserveShare } = changes
  for (const { name, list } of [
    { name: 'shares', list: shares },
    { name: 'sections', list: bounds },
  ])
    for (const [index, { min, max }] of list.entries())
      if (min !== undefined && max !== undefined && min > max)
        throw invalidInput(
          `${field}.${name}[${index}].min`,
          `exceeds max ${max}`,
          'Give a minimum that is at most the maximum.',
        )
  if (changes.pressure !== undefined) requireRising({ ...policy.pressure, ...changes.pressure }, field)
  if (shares.length === 0 && changes.reserveShare === undefined) return
  const mins = new Map(policy.shares.map(({ section, min }) => [section, min]))
  for (const { section, min, max } of shares) mins.set(section, min ?? Math.min(mins.get(section) ?? 0, max ?? 1))
  const promised = [...mins.values()].reduce((sum, min) => sum + min, reserveShare)
  if (promised > 1 + 1e-9)
    throw invalidInput(
      `${field}.shares`,
      `promise ${Math.round(promised * 100)}% of the window with what the policy promises`,
      'Promise 100% at most, the reserve included.',
    )
}

function requireRising({ prepare, compress, evict, lowest = prepare }: Policy['pressure'], field: string): void {
  if (lowest > prepare)
    throw invalidInput(`${field}.pressure.lowest`, `is above prepare, ${prepare}`, `Give at most ${prepare}.`)
  if (!(prepare <= compress && compress <= evict))
    throw invalidInput(
      `${field}.pressure`,
      `does not rise: ${prepare}, ${compress}, ${evict}`,
      'Let prepare, compress and evict rise.',
    )
}

/** Comparing more with each other would take long. */
const mostExclusive = 200

/** Two levels that both give everything to what they name must have something in common. */
function requireCommonGround(written: readonly WrittenOverride[]): void {
  const exclusive = written.filter(({ changes }) => changes.exclusive === true)
  if (exclusive.length > mostExclusive)
    throw invalidInput(
      'policy.overrides',
      `have ${exclusive.length} that are exclusive`,
      `Each is compared with each: give at most ${mostExclusive}.`,
    )
  const namesOf = ({ changes }: WrittenOverride): readonly string[] =>
    Object.entries(changes.fractions ?? {}).flatMap(([section, share]) => ((share ?? 0) > 0 ? [section] : []))
  for (const [index, one] of exclusive.entries()) {
    const own = new Set(namesOf(one))
    const other = exclusive
      .slice(index + 1)
      .find((later) => later.level !== one.level && !namesOf(later).some((section) => own.has(section)))
    if (other !== undefined)
      throw invalidInput(
        `policy.${other.at}.exclusive`,
        `contradicts ${one.at}: where both hold, nothing is left`,
        'Let them name a section in common, or make one of them not exclusive.',
      )
  }
}

function requireRules(
  { fractions = {} }: Policy,
  { affect = [], affectFloor = 0, turnPhase = {}, safety = [] }: PolicyOverrides,
  requireSection: RequireSection,
): void {
  for (const [index, section] of safety.entries()) requireSection(section, `policy.overrides.safety[${index}]`)
  for (const [phase, factors] of Object.entries(turnPhase))
    for (const section of Object.keys(factors))
      requireSection(section, `policy.overrides.turnPhase.${phase}.${section}`)
  for (const [index, { shift = {}, minTokens = {} }] of affect.entries()) {
    const field = `policy.overrides.affect[${index}]`
    for (const section of Object.keys(shift)) requireSection(section, `${field}.shift.${section}`)
    for (const section of Object.keys(minTokens)) requireSection(section, `${field}.minTokens.${section}`)
    const sum = Object.values(shift).reduce((all, by) => all + by, 0)
    if (Math.abs(sum) > 1e-9)
      throw invalidInput(`${field}.shift`, `does not cancel out: its sum is ${sum}`, 'Take as much as you give.')
  }
  const count = Object.keys(fractions).length
  if (affectFloor * count > 1)
    throw invalidInput(
      'policy.overrides.affectFloor',
      `promises ${count} sections more than there is`,
      `Give at most ${Math.floor(1000 / count) / 1000}.`,
    )
}
