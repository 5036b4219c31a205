import { measuresQuality } from '../../core/index.ts'
import type { Budget, CompileInput, ManifestDecision, ProvenanceRecord } from '../../core/index.ts'
import { availableTokens } from '../budget/resolve-budget.ts'
import { breachAction, judgedQuality, qualityError } from '../quality/judge-quality.ts'
import { utilisationOf } from './build-manifest.ts'
import type { ManifestParts } from './build-manifest.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import type { Solution } from '../overflow/overflow.ts'
import type { Page } from '../stages/assemble.ts'
import type { Ranked } from '../stages/rank.ts'
import type { ReceiptParts } from './receipt-parts.ts'

interface QualityInput {
  readonly input: CompileInput
  readonly list: CandidateList
  readonly budget: Budget
  readonly ranked: Ranked
  readonly pages: readonly Page[]
  readonly solution: Solution
  readonly provenance: ProvenanceRecord | undefined
  readonly surface: () => number
}

/** The measures of what is sent, of pages of the first, where the policy asks for them. Throws `quality-gate` where it lets none out of bounds. */
export function qualityIn(
  parts: Pick<ReceiptParts, 'measureQuality' | 'inputHash'>,
  given: QualityInput,
  decisions: readonly ManifestDecision[],
): Pick<ManifestParts, 'quality'> {
  const { input, list, budget, ranked, pages, solution, provenance } = given
  const [page] = pages
  if (!measuresQuality(input.policy) || page === undefined) return {}
  const packTokens = page.pack.tokens
  const measures = parts.measureQuality({
    input,
    list,
    forms: solution.forms,
    decisions,
    packTokens,
    constraintTokens: page.assembled.constraintTokens ?? 0,
    utilisation: utilisationOf(packTokens, budget),
    provenance: provenance?.coverage,
    surface: given.surface(),
  })
  const wantedTokens = ranked.totalTokens
  const isShort = wantedTokens > availableTokens(budget)
  const record = judgedQuality(measures, { quality: input.policy.quality ?? {}, packTokens, isShort })
  const taskClass = input.situation?.taskClass ?? input.taskClass
  if (record.breaches !== undefined && breachAction(input.policy, taskClass) === 'reject')
    throw qualityError(record.breaches, parts.inputHash(input, list))
  return { quality: record }
}
