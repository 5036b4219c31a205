import { onlyUpstream, openGateway, parseConfig, silentLogger } from '../../src/gateway/index.ts'
import { fetchUpstream, simulatedProvider } from '../../src/providers/index.ts'
import type { SimulatedRequest, ScriptEntry } from '../../src/providers/index.ts'
import { memoryStore } from '../../src/stores/index.ts'
import { replyCases } from './cases.ts'
import type { Target } from './matrix.ts'

type Behind = NonNullable<Target['behind']>

/** The simulated provider, and gateways before it that know it by one dialect only. */
export interface Servers {
  readonly provider: { readonly url: string; readonly requests: readonly SimulatedRequest[] }
  readonly gateways: Readonly<Record<Behind, string>>
  /** A gateway that asks the provider in each client's own dialect, as people run it. */
  readonly usual: string
  close(): Promise<void>
}

export async function openServers(): Promise<Servers> {
  const provider = simulatedProvider({ script: entryOf, strict: false, keepRequests: 100_000 })
  const server = await provider.listen()
  const upstream = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
  const speaking = async (dialect: Behind) => {
    const only = onlyUpstream(upstream)
    const upstreams = { ...only, for: (wanted: Parameters<typeof only.for>[0]) => ({ ...only.for(wanted), dialect }) }
    return openGateway(parseConfig({ port: 0 }), { store: memoryStore(), upstreams, logger: silentLogger })
  }
  const [claude, chat, usual] = await Promise.all([
    speaking('anthropic-messages'),
    speaking('openai-chat'),
    openGateway(parseConfig({ port: 0 }), {
      store: memoryStore(),
      upstreams: onlyUpstream(upstream),
      logger: silentLogger,
    }),
  ])
  return {
    provider: { url: server.url, requests: provider.requests },
    gateways: { 'anthropic-messages': claude.url, 'openai-chat': chat.url },
    usual: usual.url,
    async close() {
      await Promise.all([claude.close(0), chat.close(0), usual.close(0)])
      await server.close()
    },
  }
}

/** The case that a prompt names. */
function entryOf({ body }: SimulatedRequest): ScriptEntry | undefined {
  return replyCases.find(({ name }) => body.includes(`[${name}]`))?.entry
}
