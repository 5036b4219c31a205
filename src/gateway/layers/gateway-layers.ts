import type { GatewayParts } from '../parts.ts'
import { countTokensLayer } from './count-tokens.ts'
import type { Layer } from './layer.ts'
import { sessionLayer } from './session/session-layer.ts'

/** A layer, and the one that it stands before: one of ours, or one that stands there already. */
export interface PlacedLayer {
  readonly layer: Layer
  readonly before: string
}

/** All layers of a gateway, in order. Those of the host stand before the session, unless told. */
export function gatewayLayers(parts: GatewayParts, ofHost: readonly (Layer | PlacedLayer)[]): readonly Layer[] {
  const layers = [sessionLayer(parts), countTokensLayer(parts.catalogue)]
  for (const added of ofHost) {
    const { layer, before } = 'layer' in added ? added : { layer: added, before: 'session' }
    const at = layers.findIndex(({ name }) => name === before)
    layers.splice(at < 0 ? layers.length : at, 0, layer)
  }
  return layers
}
