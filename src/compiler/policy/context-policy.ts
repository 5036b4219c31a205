import type { Named, Policy, PolicyChanges, TenantChanges } from '../../core/index.ts'
import { didYouMean, invalidInput, shape, unify, vocabularies } from '../../core/index.ts'
import { agentPhaseNamed } from './agent-phase-name.ts'
import { agentPhasesPolicy } from './presets.ts'

const percent = shape.between(0, 100)

interface ContextPolicy {
  readonly phase_overrides: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly zero_means_default?: boolean
}

export const contextPolicyShape = shape.object<ContextPolicy>({
  phase_overrides: shape.record(shape.record(percent)),
  zero_means_default: shape.optional(shape.flag),
})

/** Percentages by phase and section, in another product's words (`semantic`, `working`, `reserved`); zero means the default, unless it says otherwise. */
export function phaseOverrides(given: unknown, at: string): Named<PolicyChanges> {
  shape.check(contextPolicyShape, given, at, { strict: true })
  const { phase_overrides: phases, zero_means_default: isDefault = true } = given as ContextPolicy
  return Object.fromEntries(
    Object.entries(phases).map(([phase, percentages]) => {
      const fractions: Record<string, number> = {}
      for (const [word, share] of Object.entries(percentages)) {
        const section = sectionOf(word, `${at}.phase_overrides.${phase}.${word}`)
        if (share === 0 && isDefault) continue
        fractions[section] = (fractions[section] ?? 0) + share / 100
      }
      return [agentPhaseNamed(phase), { fractions }]
    }),
  )
}

function sectionOf(word: string, field: string): string {
  const terms = vocabularies['agent-pipeline']
  if (Object.hasOwn(terms, word)) return unify('agent-pipeline', word as keyof typeof terms).section
  const hint = didYouMean(word, Object.keys(terms))
  throw invalidInput(field, 'is not a section', `${hint}There are ${Object.keys(terms).join(', ')}.`)
}

/**
 * Changes with percentages of phases, for a policy. One without fractions takes those of `agent-phases`, which the changes then override: the
 * percentages of one phase say nothing of the others.
 */
export function withUsualPhases<Changes extends Pick<TenantChanges, 'agentPhase' | 'fractions'>>(
  { fractions }: Pick<Policy, 'fractions'>,
  changes: Changes,
): Changes {
  const { agentPhase = {} } = changes
  const hasFractions = Object.values(agentPhase).some((phase) => phase.fractions !== undefined)
  if (fractions !== undefined || changes.fractions !== undefined || !hasFractions) return changes
  const usual = agentPhasesPolicy.overrides?.agentPhase ?? {}
  return {
    ...changes,
    fractions: agentPhasesPolicy.fractions,
    agentPhase: mergedPhases(usual, agentPhase),
  }
}

/** Phases of both, their fractions section by section; the later ones win. */
export function mergedPhases(
  before: Named<PolicyChanges> = {},
  later: Named<PolicyChanges> = {},
): Named<PolicyChanges> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(later)])]
  return Object.fromEntries(names.map((name) => [name, mergedPhase(before[name], later[name])]))
}

function mergedPhase(before: PolicyChanges = {}, later: PolicyChanges = {}): PolicyChanges {
  const fractions = { ...before.fractions, ...later.fractions }
  return { ...before, ...later, ...((before.fractions ?? later.fractions) && { fractions }) }
}
