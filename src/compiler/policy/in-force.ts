import type { CompileInput, CompileResult, Policy, Situation } from '../../core/index.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { composePolicy } from './compose-policy.ts'
import { mergedSections } from './compose-shares.ts'
import { phaseShown } from './detect-phase.ts'
import type { PhaseClues } from './detect-phase.ts'
import { found } from './layers.ts'
import { fractionBounds } from './fraction-bounds.ts'

/** What is compiled in a situation, and what its receipt says of it. */
export interface InputInForce {
  readonly input: CompileInput
  readonly overrides: readonly string[]
  /** The strategy of retrieval, by its name. */
  readonly retrieval?: string
}

/**
 * The input with the policy that is in force: without overrides, with what its bounds and fractions say in the budget. Undefined where
 * the policy says nothing of the kind and no situation is given, as is usual.
 */
export function inForce(
  input: CompileInput,
  list: CandidateList,
  itemTokens: (candidate: CandidateList['candidates'][number]) => number,
): InputInForce | undefined {
  const { policy, budget, layout } = input
  const isPlain =
    policy.overrides === undefined &&
    policy.fractions === undefined &&
    policy.sections === undefined &&
    policy.contextTokens === undefined &&
    policy.retrieval === undefined
  if (isPlain && input.situation === undefined) return undefined
  const situation = situationOf(input)
  const composed = composePolicy(policy, situation)
  const tokensIn = (sections: ReadonlySet<string>): number =>
    list.candidates.reduce((sum, one) => (sections.has(one.item.section) ? sum + itemTokens(one) : sum), 0)
  const { maxOutputTokens = 0 } = budget
  const windowTokens = windowWithin(composed.policy, budget)
  const bounds = fractionBounds({ policy: composed.policy, layout, windowTokens, tokensIn })
  const sections = mergedSections([composed.policy.sections, bounds.sections, budget.sections])
  const output = Math.max(maxOutputTokens, bounds.reserveTokens)
  return {
    input: {
      ...input,
      policy: composed.policy,
      ...(Object.keys(situation).length > 0 && { situation }),
      ...(situation.taskClass !== undefined && { taskClass: situation.taskClass }),
      budget: {
        ...budget,
        windowTokens,
        ...(sections.length > 0 && { sections }),
        ...(output > 0 && { maxOutputTokens: output }),
      },
    },
    overrides: composed.overrides,
    ...(composed.policy.retrieval && { retrieval: composed.policy.retrieval.use }),
  }
}

/** The window, or as much of one as has room for the tokens that a request may have, and for the reply. */
function windowWithin(
  { contextTokens, reserveShare }: CompileInput['policy'],
  { windowTokens, maxOutputTokens = 0 }: CompileInput['budget'],
): number {
  if (contextTokens === undefined) return windowTokens
  const withReserve = reserveShare < 1 ? Math.floor(contextTokens / (1 - reserveShare)) : windowTokens
  return Math.min(windowTokens, Math.max(withReserve, contextTokens + maxOutputTokens))
}

function situationOf({ items, situation, taskClass, policy, frame }: CompileInput): Situation {
  const named = { ...(taskClass !== undefined && { taskClass }), ...situation }
  return situationFound(policy, { situation: named, items, state: frame?.state })
}

/** What the host says; where it names no agent phase and the policy asks for one, what the conversation shows of it. */
export function situationFound(
  policy: Policy,
  { situation: named = {}, ...clues }: PhaseClues & { readonly situation?: Situation | undefined },
): Situation {
  if (named.agentPhase !== undefined || !asksForPhase(policy, named)) return named
  const agentPhase = phaseShown(clues)
  return agentPhase === undefined ? named : { ...named, agentPhase }
}

function asksForPhase({ overrides }: CompileInput['policy'], { tenant }: Situation): boolean {
  return overrides?.agentPhase !== undefined || found(overrides?.tenant, tenant)?.agentPhase !== undefined
}

/** What a compile in a situation tells besides: what was in force, and, once, that the regime has changed. */
export function toldInForce(result: CompileResult, { input, overrides, retrieval }: InputInForce): CompileResult {
  const { regime } = input.situation ?? {}
  const before = input.ledger?.regime
  const { manifest, ledger, events } = result
  const hasChanged = input.ledger !== undefined && regime !== before
  return {
    ...result,
    manifest: {
      ...manifest,
      ...(overrides.length > 0 && { overrides }),
      ...(retrieval !== undefined && { retrieval }),
    },
    ledger: regime === before && ledger.regime === regime ? ledger : withRegime(ledger, regime),
    events: hasChanged
      ? [
          ...events,
          {
            type: 'context:regime-override',
            previousRegime: before ?? null,
            newRegime: regime ?? null,
            allocationsApplied: Object.fromEntries(
              result.manifest.sections.map(({ section, allocatedTokens }) => [section, allocatedTokens]),
            ),
          },
        ]
      : events,
  }
}

function withRegime(ledger: CompileResult['ledger'], regime: string | undefined): CompileResult['ledger'] {
  const { regime: _, ...rest } = ledger
  return regime === undefined ? rest : { ...rest, regime }
}
