import { dirname } from 'node:path'
import {
  extensionTablesIn,
  jsonLogger,
  keepHeapLean,
  openGateway,
  parseConfig,
  placedModules,
  providerUpstreams,
  rememberedBytes,
  isLoopback,
  weakTokens,
} from '../gateway/index.ts'
import { bothLoggers, unrecordedNotice } from './own-requests.ts'
import { inspectorFolder } from './inspector-folder.ts'
import { listening } from './listening.ts'
import { requireProvider } from './require-provider.ts'
import { givenScript } from './script-option.ts'
import { blobsFolder, openServingStore, storeId, storeName, storePlace } from './store-place.ts'
import { gatewayConfig } from './serving-config.ts'
import { stoppingLine } from './stopping-line.ts'
import type { Gateway, GatewayConfig, Logger, OpenGatewayParts } from '../gateway/index.ts'
import type { Script } from '../providers/index.ts'
import type { StorePlace } from './store-place.ts'
import type { Io } from './io.ts'
import type { ServingOptions } from './serving-options.ts'

/** A gateway that runs, with what it runs on. */
export interface Serving {
  readonly url: string
  /** Where its page is; undefined where none was built. */
  readonly inspector: string | undefined
  readonly config: GatewayConfig
  /** Where its store is: a file, or a database without its credentials. */
  readonly store: string
  /** Providers that are configured; where there are none, the simulated one answers. */
  readonly providers: readonly string[]
  /** The names of the extensions that it was started with. */
  readonly extensions: readonly string[]
  /** What is worth a look before clients come. */
  readonly warnings: readonly string[]
  /** What the simulated one plays. */
  readonly script?: string
  readonly gateway: Pick<Gateway, 'metrics'>
  /** Reads the configuration again. Never rejects: what is wrong is told, and the one in force stays. */
  reload(): Promise<void>
  close(): Promise<void>
}

/** Reads it; paths and packages of extensions are looked up from the folder of the file. */
export function readServingConfig(options: ServingOptions, environment: Io['environment']): GatewayConfig {
  const config = parseConfig(gatewayConfig(options, environment))
  const folder = options.config === undefined ? '.' : dirname(options.config)
  const blobs = config.blobs ?? blobsFolder(options, environment)
  const extensions = [...placedModules(config.extensions, folder)]
  return { ...config, extensions, ...(blobs !== undefined && { blobs }) }
}

/** The configuration that the command line, the environment and the file come to. Throws where it names no provider and needs one. */
export function servingConfig(options: ServingOptions, io: Io): GatewayConfig {
  const config = readServingConfig(options, io.environment)
  requireProvider(config, options)
  return config
}

/** Tokens that can be guessed. Behind a proxy a gateway listens on loopback, so placeholders are worth a word there, too. */
function tokenWarnings(config: GatewayConfig): readonly string[] {
  return weakTokens(config)
    .filter(({ isPublic }) => isPublic || !isLoopback(config.host))
    .map(({ field, problem, remedy }) => `${field} ${problem}. ${remedy}`)
}

export interface ServingExtras {
  /** What the simulated provider says where it is behind everything and no script was asked for. */
  readonly answers?: Script | undefined
  /** Hears what the log says, whether it is written or not. */
  readonly listener?: Logger
  /** What one of several processes on a port shares with the others. */
  readonly parts?: Pick<OpenGatewayParts, 'hot' | 'siblings'>
}

interface Hearing {
  readonly store: string
  readonly listener: Logger | undefined
}

/** A log that is written has a line for each request without a record; otherwise the first of them is told. */
function loggerFor({ log }: ServingOptions, { store, listener }: Hearing, io: Io): Logger {
  const tell = (line: string): void => io.err(line)
  const written = log === true ? jsonLogger(tell, Date.now) : unrecordedNotice(store, tell)
  return listener ? bothLoggers(written, listener) : written
}

/** What its clients are shown: which store it has, and the page. Whoever sees the link that is printed may follow it. */
function toldParts(
  place: StorePlace,
  { outIsTerminal }: Io,
): Pick<OpenGatewayParts, 'storeId' | 'inspector' | 'expectsReader'> {
  const inspector = inspectorFolder()
  return { storeId: storeId(place), ...(inspector !== undefined && { inspector, expectsReader: outIsTerminal }) }
}

/**
 * Opens store, upstreams and gateway; lets go of all of them where one fails.
 */
export async function openServing(
  config: GatewayConfig,
  options: ServingOptions,
  io: Io,
  { answers, listener, parts }: ServingExtras = {},
): Promise<Serving> {
  let gateway: Gateway | undefined
  if (io.ownsProcess) keepHeapLean(() => gateway?.underway ?? 0)
  const isSimulated = Object.keys(config.upstreams).length === 0
  const script = (await givenScript(options.script, io)) ?? (isSimulated ? answers : undefined)
  const place = storePlace(options, io.environment)
  const brought = await extensionTablesIn(config.extensions)
  const store = await openServingStore(place, io, { rememberedBytes: rememberedBytes(config), ...brought })
  const upstreams = script && providerUpstreams(config, { script })
  const logger = loggerFor(options, { store: storeName(place), listener }, io)
  const release = async (): Promise<void> => {
    await upstreams?.close()
    await store.close()
  }
  try {
    gateway = await listening(config, () =>
      openGateway(config, {
        store,
        ...toldParts(place, io),
        logger,
        ...parts,
        ...(upstreams && { upstreams }),
      }),
    )
  } catch (error) {
    await release()
    throw error
  }
  return {
    url: gateway.url,
    inspector: inspectorFolder() === undefined ? undefined : `${gateway.url}/inspector/`,
    config,
    store: storeName(place),
    providers: Object.keys(config.upstreams),
    extensions: gateway.extensions,
    warnings: tokenWarnings(config),
    gateway,
    ...(options.script !== undefined && { script: options.script }),
    reload: () => reloaded(gateway, options, io),
    async close() {
      const { underway } = gateway
      const { drainMs } = config.limits
      if (options.log === true) logger.info('stopping', { underway, drainMs })
      else if (underway > 0) io.err(`${stoppingLine(underway, drainMs)}\n`)
      await gateway.close()
      await release()
    },
  }
}

/** Says what became of it where the log, in which the gateway notes it, is not written. */
async function reloaded(gateway: Gateway, options: ServingOptions, io: Io): Promise<void> {
  const say = (line: string): void => (options.log === true ? undefined : io.err(`prehend: ${line}\n`))
  try {
    await gateway.reload(() => servingConfig(options, io))
    say('the configuration was read again and is in force')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    say(`the configuration was not changed: ${reason}`)
  }
}
