import type { CompressionPolicy } from './compression.ts'
import type { Guideline } from './guideline.ts'
import * as shape from './shape.ts'

const { amount, count, flag, list, name, object, optional, record, share } = shape

const guidelineShape = object<Guideline>({
  id: name,
  category: name,
  taskType: name,
  regime: name,
  text: name,
  createdMs: amount,
  triggerCount: count,
  preventedFailures: count,
})

export const compressionShape = object<CompressionPolicy>({
  enabled: optional(flag),
  keepRatio: optional(share),
  minFidelity: optional(share),
  above: optional(count),
  dialogue: optional(flag),
  preserveRecent: optional(count),
  summariseAbove: optional(record(count)),
  guidelines: optional(list(guidelineShape)),
})
