import { inProcessHot } from '../stores/index.ts'
import type { Hot } from '../stores/index.ts'
import type { GatewayConfig } from './config.ts'
import type { OpenGatewayParts } from './open-gateway-parts.ts'

/** The hot state of a gateway, and how to let go of it: what a host has given stays open. */
export interface OpenedHot {
  readonly hot: Hot
  /** Whether other processes may reach it. */
  readonly isShared: boolean
  close(): Promise<void>
}

/** That of the host, the server that the configuration names, or that of this process. Rejects where the server cannot be reached. */
export async function openHot(
  { hot: url }: Pick<GatewayConfig, 'hot'>,
  { hot, clock }: Pick<OpenGatewayParts, 'hot' | 'clock'>,
): Promise<OpenedHot> {
  const nothing = async (): Promise<void> => undefined
  if (hot) return { hot, isShared: true, close: nothing }
  if (url === undefined) return { hot: inProcessHot({ ...(clock && { clock }) }), isShared: false, close: nothing }
  const { redisHot } = await import('../stores/remote/index.ts')
  const opened = await redisHot({ url })
  return { hot: opened, isShared: true, close: () => opened.close() }
}
