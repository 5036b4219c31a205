export const lossKinds = [
  'text',
  'reasoning',
  'opaque',
  'media',
  'call',
  'result',
  'status',
  'tool',
  'role',
  'name',
  'placement',
  'sampling',
] as const
/** What a dialect has no word for. */
export type LossKind = (typeof lossKinds)[number]

/** Something of a conversation that a body of another dialect does not hold, or not as it was. */
export interface Loss {
  readonly kind: LossKind
  /** The id of the item, or the name of the tool or parameter. */
  readonly what: string
  readonly why: string
}
