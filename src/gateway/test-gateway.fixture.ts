import { fetchUpstream, simulatedProvider } from '../providers/index.ts'
import type { Script, SimulatedProvider, Upstream } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { openGateway, parseConfig } from './index.ts'
import type { Gateway, GatewayConfigInput, LogFields } from './index.ts'

export interface TestGatewayOptions {
  readonly config?: GatewayConfigInput
  readonly script?: Script
  readonly provider?: SimulatedProvider
  readonly store?: Store
  readonly upstream?: Upstream
}

export interface TestGateway {
  readonly url: string
  readonly provider: SimulatedProvider
  readonly store: Store
  readonly log: { level: string; event: string; fields: LogFields }[]
  /** Lets time pass for the gateway's clock. */
  pass(ms: number): void
  close(): Promise<void>
}

const opened: Gateway[] = []

/** A gateway on a free port with the simulated provider behind it. */
export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { script = [], store = memoryStore() } = options
  const provider = options.provider ?? simulatedProvider({ script })
  const upstream =
    options.upstream ?? fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
  const log: TestGateway['log'] = []
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      void log.push({ level, event, fields })
  let passed = 0
  const gateway = await openGateway(parseConfig({ port: 0, ...options.config }), {
    store,
    upstreams: { for: () => ({ upstream, passCredentials: true }), close: async () => undefined },
    logger: { info: at('info'), warn: at('warn'), error: at('error') },
    clock: () => Date.UTC(2026, 10, 21) + passed,
  })
  opened.push(gateway)
  const pass = (ms: number): void => void (passed += ms)
  return { url: gateway.url, provider, store, log, pass, close: () => gateway.close(0) }
}

/** Closes every gateway that a test has left open. */
export async function closeTestGateways(): Promise<void> {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close(0)))
}

/** A long tool result, different for every number, with one line that nothing else has. */
export function longResult(number: number, lines = 400): string {
  const body = Array.from(
    { length: lines },
    (_, line) => `src/module-${number}/file-${line}.ts: export const value${line} = ${line * number}`,
  )
  body[Math.floor(lines / 2)] = needleOf(number)
  return body.join('\n')
}

export function needleOf(number: number): string {
  return `the needle of result ${number} is ${number * 7919}-${number * 104_729}`
}
