import { setTimeout as delay } from 'node:timers/promises'
import { modelCatalogue, tokenizerOf } from '../tokens/index.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayParts, ServingParts } from './parts.ts'
import { openToolRegistry } from './tools/tool-registry.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'
import { nameOfError } from './telemetry/name-of-error.ts'

/** Results are measured with the tokenizer of this model, whichever model is to read them. */
const measuredBy = 'gpt-5'

type Surroundings = Pick<ServingParts, 'clock' | 'metrics' | 'logger' | 'newId'> & Pick<GatewayParts, 'blobs'>

/** Opens the registry of a gateway. */
export function openTools(
  config: GatewayConfig,
  { store, tools: hostTools, catalogue = modelCatalogue(config) }: OpenGatewayParts,
  { clock, metrics, logger, newId, blobs }: Surroundings,
): Promise<ToolRegistry> {
  const tokenizer = tokenizerOf(catalogue.info(measuredBy))
  return openToolRegistry({
    settings: config.tools,
    hostTools,
    store,
    blobs,
    clock,
    stopwatch: () => performance.now(),
    wait: (ms, signal) => delay(ms, undefined, { signal, ref: false }),
    fetcher: (input, init) => fetch(input, init),
    newId,
    count: (text) => tokenizer.count(text),
    called: (source, outcome) => metrics.toolCalls.inc({ source, outcome }),
    failed: (doing, error) => logger.warn('tools-failed', { doing, reason: nameOfError(error) }),
  })
}
