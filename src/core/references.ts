/** Where two items of different sections say the same, the second refers to the first. */
export interface ReferencePolicy {
  /** True by default, where a policy says anything of references. */
  readonly enabled?: boolean
  /** Above which two texts say the same, in [0, 1]; 0.92 by default. It is calibrated to the measure that is asked. */
  readonly similarity?: number
}

export type ReferenceFigures = Required<ReferencePolicy>

/** The figures of a policy's references; undefined where it makes none. */
export function referenceFigures(policy: ReferencePolicy | undefined): ReferenceFigures | undefined {
  const figures = policy === undefined ? undefined : { enabled: true, similarity: 0.92, ...policy }
  return figures?.enabled === true ? figures : undefined
}

/** How alike two items are, of those who know more than their words tell, such as a model of meaning. */
export interface ItemSimilarity {
  /** Ids of items. */
  readonly a: string
  readonly b: string
  /** In [0, 1]. */
  readonly similarity: number
}
