import type { LayerCounter } from '../../telemetry/layer-metrics.ts'
import type { Layer } from '../../exchange/layer.ts'

export const constraintsBroken = {
  kind: 'counter',
  name: 'constraints_broken_total',
  help: 'Constraints that replies broke, and what came of it.',
  labels: { action: ['refuse', 'repair', 'warn'] },
} as const satisfies LayerCounter

/** What the layer notes of a request and counts; no word of the reply. */
export const contributes = {
  name: 'constraints',
  metrics: [constraintsBroken],
  facts: {
    /** Times that the model was asked again. */
    repairs: { type: 'number' },
    /** What the answers broke that the client did not get: names of constraints, or their places in the list. */
    withheld: { type: 'array', items: { type: 'string' } },
    /** Points of the checklist, and those that the answer meets. */
    points: { type: 'number' },
    met: { type: 'number' },
  },
} as const satisfies Partial<Layer>
