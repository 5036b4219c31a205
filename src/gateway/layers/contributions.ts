import type { GatewayParts } from '../parts.ts'
import type { LayerCounter, LayerMetric } from '../telemetry/layer-metrics.ts'
import { dropReasons } from '../exchange/facts.ts'
import { requireFacts } from '../exchange/facts.ts'
import type { Layer } from '../exchange/layer.ts'
import type { TraceListeners } from '../exchange/trace.ts'

const droppedFacts = {
  kind: 'counter',
  name: 'layer_facts_dropped_total',
  help: 'Facts of layers that were not kept: no such name is declared, of another type, or too large.',
  labels: { layer: { most: 100 }, reason: dropReasons },
} as const satisfies LayerCounter

/** Declares what layers note and count. Throws `invalid-input` where a layer declares more than is allowed. */
export function declareContributions({ metrics }: Pick<GatewayParts, 'metrics'>, layers: readonly Layer[]): void {
  for (const { name, facts } of layers) if (facts !== undefined) requireFacts(name, facts)
  const declared = layers.flatMap(({ metrics: own = [] }): readonly LayerMetric[] => own)
  metrics.layers.declare([droppedFacts, ...declared])
}

/** Where the trace of a request tells what layers count, and which of their facts it drops; no line says what a fact said. */
export function traceListeners(
  { metrics, logger }: Pick<GatewayParts, 'metrics' | 'logger'>,
  requestId: string,
): TraceListeners {
  return {
    counted: (metric, labels, by) => metrics.layers.count(metric, labels, by),
    dropped(layer, { name: fact, reason }) {
      metrics.layers.count(droppedFacts, { layer, reason })
      logger.warn('fact-dropped', { requestId, layer, fact, reason })
    },
  }
}
