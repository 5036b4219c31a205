import type { GatewayConfig } from '../config.ts'
import type { OpenGatewayParts } from '../open-gateway-parts.ts'
import type { StorePorts } from './carrying-thread.ts'
import { mostThreads } from './most-threads.ts'

/** How threads reach the store; undefined where requests need what only the host's own thread has. */
export function threadable(config: GatewayConfig, given: OpenGatewayParts): StorePorts | undefined {
  const { store, upstreams, catalogue, clock, images, embedder } = given
  const lists: readonly (readonly unknown[] | undefined)[] = [
    given.layers,
    given.sources,
    given.hiddenTools,
    given.extensions,
    given.tools,
    Object.keys(config.tools.sources),
  ]
  const isHosts = lists.some((list = []) => list.length > 0) || (upstreams ?? catalogue ?? clock ?? images ?? embedder)
  const isSimulated = Object.keys(config.upstreams).length === 0
  return isHosts || isSimulated || mostThreads(config) === 0 ? undefined : storePorts(store)
}

function storePorts({ connect, remedy }: OpenGatewayParts['store']): StorePorts | undefined {
  return connect && { connect, ...(remedy !== undefined && { remedy }) }
}

/** How many threads may carry requests beside the one that serves. */
export function threadsOf(config: GatewayConfig, given: OpenGatewayParts): number {
  return threadable(config, given) ? mostThreads(config) : 0
}
