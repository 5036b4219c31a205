import { manualClock, simulatedProvider } from '../../providers/index.ts'
import type { ManualClock, Script, SimulatedProvider } from '../../providers/index.ts'
import { inProcessHot, memoryStore } from '../../stores/index.ts'
import type { Hot, Store } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { Gateway, GatewayConfigInput } from '../index.ts'
import { keyConfig, withKeys } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { gatheredLog } from './gathered-log.fixture.ts'

const closers: (() => Promise<unknown>)[] = []

export async function closeTenantGateways(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

export const installationSecret = 'the-secret-of-this-installation-0123456789'
export const installationKey = 'sk-of-the-installation-0000'

/** A gateway whose requests go to a provider over HTTP, so that their headers are seen. */
export interface TenantGateway extends KeyGateway {
  readonly gateway: Gateway
}

export interface TenantGatewayOptions {
  readonly config?: GatewayConfigInput
  readonly store?: Store
  readonly hot?: Hot
  readonly provider?: SimulatedProvider
  readonly script?: Script
}

export async function tenantGateway(options: TenantGatewayOptions = {}): Promise<TenantGateway> {
  const { store = memoryStore(), hot = inProcessHot(), script = () => 'done' } = options
  const clock: ManualClock = manualClock(Date.UTC(2026, 10, 21))
  const provider = options.provider ?? simulatedProvider({ script, clock, strict: false })
  const server = await provider.listen()
  const { log, logger } = gatheredLog()
  const config = parseConfig({
    port: 0,
    ...keyConfig,
    providerKeys: { secret: installationSecret },
    upstreams: {
      openai: { baseUrl: `${server.url}/v1`, apiKey: installationKey },
      anthropic: { baseUrl: server.url, apiKey: installationKey },
    },
    ...options.config,
  })
  const gateway = await openGateway(config, {
    store,
    hot,
    logger,
    clock: () => clock.now(),
    wait: (ms, signal) => clock.wait(ms, signal),
  })
  const close = (graceMs = 0): Promise<void> => gateway.close(graceMs)
  closers.push(close, () => server.close())
  return { ...withKeys({ url: gateway.url, provider, store, log, clock, close }), gateway }
}

/** The keys by which the requests of a provider came, in their order. */
export function keysAt({ requests }: SimulatedProvider): readonly string[] {
  return requests.map(({ headers }) => {
    return (headers['authorization'] ?? headers['x-api-key'] ?? '').replace('Bearer ', '')
  })
}
