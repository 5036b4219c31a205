import type { Layer } from '../exchange/layer.ts'
import type { PipelineLayer } from './pipeline-layers.ts'

/** A layer, and the one that it stands before; `upstream` is the end of the way. */
export interface PlacedLayer {
  readonly layer: Layer
  readonly before: PipelineLayer | 'upstream' | (string & {})
}

/**
 * A layer that answers what it can without a model, asked before any model where a policy prefers what is cheap and the client has left
 * the model open. What it does not answer it hands to `next`.
 */
export interface TierLayer {
  readonly layer: Layer
  readonly tier: 'T0'
}

/** A layer of a host's own; before `collect`, and so before the session by default. */
export type HostLayer = Layer | PlacedLayer | TierLayer
