import type { PrehendError } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import { budgetLayer } from './budget/budget-layer.ts'
import { cachedContentsLayer } from './cached-contents/cached-contents-layer.ts'
import { constraintsLayer } from './constraints/constraints-layer.ts'
import { declareContributions } from './contributions.ts'
import { collectLayer } from './collect/collect-layer.ts'
import type { Source } from '../../sessions/index.ts'
import { fallbackLayer } from './fallback.ts'
import { countTokensLayer } from './count-tokens.ts'
import type { HostLayer } from './host-layer.ts'
import { keptRepliesLayer } from './kept-replies.ts'
import type { Layer } from '../exchange/layer.ts'
import { ownModelsLayer } from './own-models.ts'
import { pipelineLayers } from './pipeline-layers.ts'
import type { PipelineLayer } from './pipeline-layers.ts'
import { routeLayer } from './route/route-layer.ts'
import { sessionLayer } from './session/session-layer.ts'

/** What a host adds to a gateway's way. */
export interface HostLayers {
  readonly layers?: readonly HostLayer[] | undefined
  readonly sources?: readonly Source[] | undefined
}

/** All layers of a gateway, in order. */
export function gatewayLayers(parts: GatewayParts, { layers: added = [], sources = [] }: HostLayers): readonly Layer[] {
  const { config, catalogueOf } = parts
  const withoutModel = added.flatMap((each) => ('tier' in each ? [each.layer] : []))
  const own: Readonly<Record<PipelineLayer, Layer | undefined>> = {
    'budget': budgetLayer(parts),
    'route': routeLayer(parts, withoutModel),
    'fallback': fallbackLayer(parts),
    'constraints': constraintsLayer(parts),
    'collect': collectLayer(parts, sources),
    'session': sessionLayer(parts),
    'kept-replies': keptRepliesLayer(parts),
    'count-tokens': countTokensLayer(catalogueOf),
    'own-models': ownModelsLayer((tenant) => settingsFor(config, tenant)),
    'cached-contents': config.promptCache.cachedContents ? cachedContentsLayer(parts) : undefined,
  }
  const layers = pipelineLayers.flatMap((name) => own[name] ?? [])
  for (const each of added) {
    if ('tier' in each) continue
    const { layer, before } = 'layer' in each ? each : { layer: each, before: 'collect' }
    const at = layers.findIndex(({ name }) => name === before)
    if (at < 0 && before !== 'upstream') throw noSuchLayer(before, layers)
    layers.splice(at < 0 ? layers.length : at, 0, layer)
  }
  requireNames(
    'layers',
    [...layers, ...withoutModel].map(({ name }) => name),
  )
  declareContributions(parts, [...layers, ...withoutModel])
  requireNames(
    'sources',
    sources.map(({ id }) => id),
  )
  return layers
}

const nameForm = /^[\w./:-]{1,60}$/

/** Names stand in headers, receipts and metrics, and tell one thing from another. Throws `invalid-input`. */
export function requireNames(field: string, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    if (!nameForm.test(name))
      throw invalidInput(field, `has the name ${JSON.stringify(name)}`, 'Use letters, digits and ./:-_.')
    if (names.indexOf(name) < index)
      throw invalidInput(field, `has the name ${JSON.stringify(name)} twice`, 'Give each its own.')
  }
}

function noSuchLayer(before: string, layers: readonly Layer[]): PrehendError {
  const known = [...layers.map(({ name }) => name), 'upstream'].join(', ')
  return invalidInput('layers', `has one before ${JSON.stringify(before)}, which is no layer`, `Known are ${known}.`)
}
