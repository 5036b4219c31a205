import * as shape from './shape.ts'

/** What becomes of large evidence and results of tools as they come in. */
export interface ArtifactPolicy {
  /**
   * Above so many tokens, evidence and what tools return stands as a short extract with the URI of the whole, which the host stores as an
   * artifact, and a handle that brings it back.
   */
  readonly inlineTokens: number
}

export const artifactPolicyShape = shape.object<ArtifactPolicy>({ inlineTokens: shape.countFrom(1) })
