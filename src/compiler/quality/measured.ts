import type { CompileInput, ManifestDecision } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { CandidateList } from '../items/read-candidates.ts'

/** What was sent, and what became of what was not. */
export interface Measured {
  readonly input: CompileInput
  readonly list: CandidateList
  readonly forms: readonly (Form | undefined)[]
  readonly decisions: readonly ManifestDecision[]
  readonly packTokens: number
  /** What the constraints of the step's frame take, every copy counted. */
  readonly constraintTokens: number
  readonly utilisation: number
  readonly provenance: number | undefined
  readonly surface: number
}

/** Share of what a pack stands for that a reader still has, in [0, 1]. */
export type FidelityOf = (measured: Measured) => number
