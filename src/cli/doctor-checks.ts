import { createServer } from 'node:net'
import { once } from 'node:events'
import { isPrehendError } from '../core/index.ts'
import { extensionTablesIn, isLoopback, openGatewayExtensions, tryBlobs, weakTokens } from '../gateway/index.ts'
import { spokenBy, providerEndpoints, providerNames } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import { PROVIDER_RULES_AS_OF } from '../tokens/index.ts'
import { embeddingChecks } from './embedding-checks.ts'
import { hasExample } from './example.ts'
import { failed, ok, warning } from './health-check.ts'
import { errnoOf } from './listening.ts'
import { gatewayAt } from './port-holder.ts'
import { readServingConfig } from './open-serving.ts'
import { providerKeyChecks } from './provider-key-checks.ts'
import { isSimulationAsked, requireProvider } from './require-provider.ts'
import { storeId, storePlace } from './store-place.ts'
import { findStore } from './store-check.ts'
import { toolSourceChecks } from './tool-source-checks.ts'
import { suggest } from '../core/index.ts'
import { version } from './version.ts'
import type { GatewayConfig } from '../gateway/index.ts'
import type { FoundGateway } from './port-holder.ts'
import type { HealthCheck } from './health-check.ts'
import type { Io } from './io.ts'
import type { ServingOptions } from './serving-options.ts'

export interface DoctorInput {
  readonly options: ServingOptions
  readonly environment: Io['environment']
  /** Variables that any command reads. */
  readonly knownVariables: readonly string[]
  readonly nowMs: number
  readonly nodeVersion: string
  readonly fetch: typeof fetch
}

/** Everything that can be wrong with an installation, looked at without making or changing anything; a row is written to a store that is there, and a blob to where `blobs` says, and both are removed. */
export async function doctorChecks(input: DoctorInput): Promise<readonly HealthCheck[]> {
  const configured = configCheck(input)
  const store = await findStore(input.options, input.environment)
  return [
    ok('version', `prehend ${version()}`),
    nodeCheck(input.nodeVersion),
    pricesCheck(input.nowMs),
    configured.check,
    ...tokenChecks(configured.config),
    ...variableChecks(input),
    ...store.checks,
    ...(configured.config === undefined ? [] : [await portCheck(configured.config, input)]),
    ...(await extensionChecks(configured.config)),
    ...(await hotChecks(configured.config)),
    ...(await blobsChecks(configured.config)),
    ...(await providerChecks(configured.config, input)),
    ...(configured.config === undefined ? [] : await providerKeyChecks(configured.config, store.providerKeys)),
    ...(configured.config === undefined ? [] : await toolSourceChecks(configured.config, input.fetch)),
    ...(configured.config === undefined ? [] : await embeddingChecks(configured.config)),
    hasExample()
      ? ok('example', 'the recorded session is there')
      : warning('example', 'no recorded session', 'Start from a checkout to have one'),
  ]
}

function withoutStop(text: string): string {
  return text.replace(/\.+$/, '')
}

function nodeCheck(nodeVersion: string): HealthCheck {
  const major = Number.parseInt(nodeVersion.replace(/^v/, ''), 10)
  if (major >= 24) return ok('node', nodeVersion)
  return failed('node', `${nodeVersion} is too old`, 'Use Node 24 or later, or run it through npm')
}

const staleDays = 60

function pricesCheck(nowMs: number): HealthCheck {
  const days = Math.floor((nowMs - Date.parse(PROVIDER_RULES_AS_OF)) / 86_400_000)
  if (days <= staleDays) return ok('prices', `prices and cache rules as of ${PROVIDER_RULES_AS_OF}`)
  return warning(
    'prices',
    `prices and cache rules are ${days} days old`,
    'Update prehend; providers change them every few weeks',
  )
}

function configCheck({ options, environment }: DoctorInput): {
  readonly check: HealthCheck
  readonly config?: GatewayConfig
} {
  try {
    const config = readServingConfig(options, environment)
    const { host, port, mode, policy, tokens } = config
    if (tokens.length === 0 && !/^(?:127\.|localhost$|::1$)/.test(host)) {
      const problem = `${host} can be reached from other machines, and no token is set`
      return { check: failed('config', problem, 'Set one with --token, or listen on 127.0.0.1'), config }
    }
    return { check: ok('config', `${host}:${port}, mode ${mode}, policy ${policy}`), config }
  } catch (error) {
    if (!isPrehendError(error)) throw error
    return { check: failed('config', withoutStop(error.message), 'Correct the setting') }
  }
}

/** Tokens that can be guessed. Beyond loopback a gateway with a placeholder does not start. */
function tokenChecks(config: GatewayConfig | undefined): readonly HealthCheck[] {
  if (config === undefined) return []
  const isOpen = isLoopback(config.host)
  return weakTokens(config).map(({ field, problem, remedy, isPublic }) => {
    const tell = isPublic && !isOpen ? failed : warning
    return tell('tokens', `${field} ${problem}`, withoutStop(remedy))
  })
}

/** Variables under our prefixes that nothing reads are misspelt, most likely. */
function variableChecks({ environment, knownVariables }: DoctorInput): readonly HealthCheck[] {
  return Object.keys(environment)
    .filter((name) => /^(?:PREHEND|BARDO_INFERENCE|CRUVERO)_/.test(name) && !knownVariables.includes(name))
    .toSorted()
    .map((name) => {
      const meant = suggest(name, knownVariables)
      return warning('environment', `${name} is read by nothing`, meant ? `Did you mean ${meant}?` : 'Remove it')
    })
}

async function portCheck({ host, port }: GatewayConfig, input: DoctorInput): Promise<HealthCheck> {
  const name = 'port'
  const address = `${host}:${port}`
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    return ok(name, `${address} is free`)
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'EADDRINUSE')
      return failed(name, `${address} cannot be had (${code})`, 'Choose another with --host and --port')
    return holderCheck(await gatewayAt({ host, port }, input.fetch), address, input)
  }
}

/** Whose the gateway is that has the port. */
function holderCheck(
  found: FoundGateway | undefined,
  address: string,
  { options, environment }: DoctorInput,
): HealthCheck {
  const name = 'port'
  if (found === undefined) return failed(name, `${address} is taken by another program`, 'Choose another with --port')
  if (found.storeId === undefined) return ok(name, `a prehend gateway runs on ${address}`)
  if (found.storeId === storeId(storePlace(options, environment)))
    return ok(name, `a prehend gateway with this store runs on ${address}`)
  return failed(
    name,
    `the prehend gateway on ${address} is not yours: it has another store`,
    'Choose another port with --port, or name its store with --data or --store',
  )
}

/** Opens each extension by itself, and closes it again. */
async function extensionChecks({ extensions = [] }: Partial<GatewayConfig> = {}): Promise<readonly HealthCheck[]> {
  const checks: HealthCheck[] = []
  for (const one of extensions) {
    let store = memoryStore()
    try {
      store = memoryStore({ tables: (await extensionTablesIn([one])).tables })
      const opened = await openGatewayExtensions({ named: [one], place: 'command', store, clock: Date.now })
      for (const { name, adds } of opened.all)
        checks.push(ok('extension', `${name} adds ${adds.join(', ') || 'nothing'}`))
      await opened.close()
    } catch (error) {
      if (!isPrehendError(error)) throw error
      checks.push(failed('extension', withoutStop(error.message), 'Correct it, or leave it out'))
    } finally {
      await store.close()
    }
  }
  return checks
}

/** Writes, reads and drops a blob where one is configured to be. */
async function blobsChecks({ blobs, s3 }: Partial<GatewayConfig> = {}): Promise<readonly HealthCheck[]> {
  if (blobs === undefined) return []
  try {
    const { shown } = await tryBlobs(blobs, s3)
    return [ok('blobs', `${shown} answers: a blob was written, read and dropped`)]
  } catch (error) {
    if (!isPrehendError(error)) throw error
    return [failed('blobs', withoutStop(error.message), 'Correct --blobs, or leave it out')]
  }
}

async function hotChecks({ hot }: Partial<GatewayConfig> = {}): Promise<readonly HealthCheck[]> {
  if (hot === undefined) return []
  try {
    const { redisHot } = await import('../stores/remote/index.ts')
    const opened = await redisHot({ url: hot })
    await opened.close()
    return [ok('hot', 'Redis answers')]
  } catch (error) {
    if (!isPrehendError(error)) throw error
    return [failed('hot', withoutStop(error.message), 'Correct --hot, or leave it out')]
  }
}

async function providerChecks(config: GatewayConfig | undefined, input: DoctorInput): Promise<readonly HealthCheck[]> {
  const upstreams = config?.upstreams ?? {}
  const isSimulated = config !== undefined && Object.keys(upstreams).length === 0
  const others = isSimulated ? 'simulated' : 'its requests are refused'
  const missing = providerNames
    .filter((name) => upstreams[name] === undefined)
    .map((name) => ok(name, `not configured (no ${providerEndpoints[name].keyVariable}): ${others}`))
  const checks = await Promise.all(
    Object.entries(upstreams).map(async ([name, settings]): Promise<HealthCheck> => {
      const [{ baseUrl: url } = { baseUrl: '' }] = spokenBy(name, settings)
      const credentials = settings.apiKey === undefined ? "the client's own credentials" : `key set`
      return (await answers(url, input.fetch))
        ? ok(name, `${url} answers; ${credentials}`)
        : failed(name, `${url} does not answer; ${credentials}`, 'Check the network and the address')
    }),
  )
  return [...(isSimulated ? [simulatedCheck(config, input.options)] : []), ...missing, ...checks]
}

/** Answers of the simulated provider look like those of a model, so that nobody notices where a key is missing. */
function simulatedCheck(config: GatewayConfig, options: ServingOptions): HealthCheck {
  try {
    requireProvider(config, options)
  } catch (error) {
    if (!isPrehendError(error)) throw error
    return failed('providers', withoutStop(error.message), 'Set a key')
  }
  if (isSimulationAsked(options))
    return warning('providers', 'the simulated provider answers, as --simulate asks', 'Leave it out for real models')
  return warning('providers', 'no key is set: the simulated provider answers', 'Set a key, or give --upstream')
}

/** Any answer will do: without credentials it is a refusal. */
async function answers(url: string, ask: typeof fetch): Promise<boolean> {
  try {
    await ask(url, { method: 'GET', signal: AbortSignal.timeout(5000) })
    return true
  } catch {
    return false
  }
}
