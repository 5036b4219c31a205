import { modelTiers } from '../../../core/index.ts'
import type { ModelTier } from '../../../core/index.ts'
import { chooseModel } from '../../../compiler/index.ts'
import type { ModelChoice } from '../../../compiler/index.ts'
import type { RoutedModel } from '../../../stores/index.ts'
import { settingsFor } from '../../tenant-settings.ts'
import { modelOf } from '../../model-routes.ts'
import type { ModelRoute } from '../../model-routes.ts'
import type { Reply } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { LayerCounter } from '../../telemetry/layer-metrics.ts'
import { asking } from '../asking.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Layer, Next } from '../../exchange/layer.ts'
import { runLayers } from '../run-layers.ts'
import { triedTier } from './tried-tier.ts'

const routedRequests = {
  kind: 'counter',
  name: 'routed_requests_total',
  help: 'Requests that left their model open, by tier that was asked.',
  labels: { tier: modelTiers },
} as const satisfies LayerCounter

/**
 * Asks the model that a policy prefers, where the client's name for the model leaves it open; a model that the client has named is not
 * touched. Layers of the host's that answer without a model (T0) come first where the preference begins with none.
 */
export function routeLayer(parts: GatewayParts, withoutModel: readonly Layer[]): Layer {
  return {
    name: 'route',
    metrics: [routedRequests],
    failure: 'closed',
    takesUnread: true,
    appliesTo: ({ kind, tenant, conversation }) =>
      (kind === 'messages' || kind === 'count-tokens') && routeOf(parts, tenant, conversation.model) !== undefined,
    handle: async (exchange, next) => {
      if (exchange.unread) throw exchange.unread
      const { kind, settings, conversation } = exchange
      const { policy, situation, step } = settings
      const route = routeOf(parts, exchange.tenant, conversation.model)
      if (route === undefined) return next(exchange)
      const choice = chooseModel(policy, { situation, items: conversation.items, risk: step.limits?.risk })
      const routed = { parts, route, choice, next }
      if (kind === 'count-tokens') return next(askedTier(routed, exchange, { tier: modelTiersOf(choice)[0] ?? 'T2' }))
      return choice.tiers.includes('T0') && withoutModel.length > 0
        ? unaided(routed, exchange, withoutModel)
        : cascade(routed, exchange)
    },
  }
}

function routeOf({ config }: GatewayParts, tenant: string, model: string): ModelRoute | undefined {
  const { modelRoutes } = settingsFor(config, tenant)
  return Object.hasOwn(modelRoutes, model) ? modelRoutes[model] : undefined
}

interface Routing {
  readonly parts: GatewayParts
  readonly route: ModelRoute
  readonly choice: ModelChoice
  readonly next: Next
}

type AskedTier = Exclude<ModelTier, 'T0'>

function modelTiersOf({ tiers }: ModelChoice): readonly AskedTier[] {
  return tiers.filter((tier) => tier !== 'T0')
}

/** What the host's layers answer, or else a model. */
async function unaided(routing: Routing, exchange: Exchange, layers: readonly Layer[]): Promise<Reply> {
  const { parts } = routing
  tell(routing, exchange, { tier: 'T0' })
  const way = runLayers({
    layers,
    last: (asked) => cascade(routing, asked, { tier: 'T0', because: 'nobody answers it without a model' }),
    stopwatch: parts.stopwatch,
    skipped: parts.skipped,
    failed: (layer, _, requestId) => parts.logger.warn('layer-failed', { requestId, layer }),
  })
  return way(exchange)
}

type Passed = NonNullable<RoutedModel['passed']>[number]

/** Asks one model after the other until one manages; what the last one says is the answer, whatever it is. */
async function cascade(routing: Routing, exchange: Exchange, ...before: readonly Passed[]): Promise<Reply> {
  const { parts, choice, next } = routing
  const tiers = modelTiersOf(choice)
  const passed = [...before]
  for (const [index, tier] of tiers.entries()) {
    const isLast = index === tiers.length - 1
    const asked = askedTier(routing, exchange, { tier, isFirst: index === 0, isLast })
    const { model } = asked.conversation
    tell(routing, exchange, { tier, model, ...(passed.length > 0 && { passed: [...passed] }) })
    if (isLast) return next(asked)
    const tried = await triedTier(parts, asked, next)
    if ('reply' in tried) return tried.reply
    parts.logger.warn('next-tier', { requestId: exchange.id, from: model, because: tried.because })
    passed.push({ tier, model, because: tried.because })
    exchange.trace.again()
  }
  return next(exchange)
}

interface TierAsked {
  readonly tier: AskedTier
  readonly isFirst?: boolean
  readonly isLast?: boolean
}

/** The request as one for the model of a tier, with what holds for that tier. A model that another stands behind repairs nothing. */
function askedTier(
  { parts, route }: Routing,
  exchange: Exchange,
  { tier, isFirst = true, isLast = true }: TierAsked,
): Exchange {
  const name = modelOf(route, tier, exchange.wire.dialect)
  const asked = asking(parts, exchange, { name, id: isFirst ? exchange.id : `${exchange.id}~${tier}` })
  const { settings, tenant } = exchange
  const { situation = { tenant } } = settings
  return {
    ...asked,
    settings: {
      ...settings,
      ...(settings.policy.overrides && { situation: { ...situation, modelTier: tier } }),
      ...(!isLast && { repairs: 0 }),
    },
  }
}

function tell(
  { choice: { preference, why } }: Routing,
  { trace, conversation: { model: name } }: Exchange,
  asked: Pick<RoutedModel, 'tier' | 'model' | 'passed'>,
): void {
  trace.route({ name, preference, why, ...asked })
  trace.count(routedRequests, { tier: asked.tier })
  const said = [asked.tier, ...(asked.model === undefined ? [] : [asked.model]), preference]
  trace.show({ 'x-prehend-routed': said.join('; ') })
}
