import { inProcessHot } from '../stores/index.ts'
import type { Hot } from '../stores/index.ts'
import type { GatewayConfig } from './config.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'

/** The hot state of a gateway, and how to let go of it: what a host has given stays open. */
export interface OpenedHot {
  readonly hot: Hot
  close(): Promise<void>
}

/** That of the host, the server that the configuration names, or that of this process. Rejects where the server cannot be reached. */
export async function openHot({ hot: url }: GatewayConfig, { hot, clock }: OpenGatewayParts): Promise<OpenedHot> {
  const nothing = async (): Promise<void> => undefined
  if (hot) return { hot, close: nothing }
  if (url === undefined) return { hot: inProcessHot({ ...(clock && { clock }) }), close: nothing }
  const { redisHot } = await import('../stores/remote/index.ts')
  const opened = await redisHot({ url })
  return { hot: opened, close: () => opened.close() }
}
