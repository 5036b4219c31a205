import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { PrehendError, invalidInput, isJsonObject, isPrehendError } from '../core/index.ts'
import { compatibleServers, knownEndpoint, providerEndpoints, providerNames } from '../providers/index.ts'
import { blobsSettings } from './blobs-settings.ts'
import { writtenPolicy } from './policy-file.ts'
import { settingsSaid } from './policy-settings.ts'
import { errnoOf } from './listening.ts'
import { requireDistinctMembers } from './distinct-members.ts'
import { parseJson, plainText } from './read-text.ts'
import { otlpOf } from './otlp-variables.ts'
import { providerKeysOf } from './provider-key-variables.ts'
import { tokensOf, upstreamsWithKeys } from './secret-variables.ts'
import type { Io } from './io.ts'
import type { ServingOptions } from './serving-options.ts'

/** The command line wins over the environment, and both over the file; what none says is the gateway's default. */
export function gatewayConfig(options: ServingOptions, environment: Io['environment']): unknown {
  const file = options.config === undefined ? {} : configFile(options.config)
  const settings = settingsSaid(options.set, environment)
  const given = {
    host: options.host,
    port: options.port,
    mode: options.mode,
    policy: options.policy === undefined ? undefined : (writtenPolicy(options.policy, '--policy') ?? options.policy),
    settings: Object.keys(settings).length > 0 ? { ...settingsOf(file['settings']), ...settings } : undefined,
    tokenizer: options.tokenizer,
    record: options.record,
    threads: options.threads,
    rehydrate: options['no-rehydrate'] === true ? false : undefined,
    promptCache: promptCacheOf(options, file['promptCache']),
    tokens: options.token?.map(tokenOf) ?? tokensOf(file['tokens'], environment),
    limits: limitsOf(options, file['limits']),
    allowedHosts: options['allow-host'],
    allowedOrigins: options['allow-origin'],
    upstreams: upstreamsOf(options, environment, file['upstreams']),
    hot: options.hot,
    otlp: otlpOf(environment, file['otlp']),
    providerKeys: providerKeysOf(environment, file['providerKeys']),
    ...blobsSettings({ said: options.blobs, file, path: options.config }, environment),
    extensions: writtenExtensions(options.extension, file['extensions']),
  }
  return { ...file, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** The settings of a configuration file, as they are written. */
export function configFile(path: string): Readonly<Record<string, unknown>> {
  const text = readConfig(path)
  const value = parseJson(text, path)
  requireDistinctMembers(text, path)
  if (isJsonObject(value)) return value
  throw invalidInput(path, 'is not an object', 'Give a JSON object with the settings of the gateway')
}

function readConfig(path: string): string {
  try {
    return plainText(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (isPrehendError(error)) throw error
    const remedy = 'Check the path given with --config'
    throw new PrehendError(
      'not-found',
      `${path} cannot be read (${errnoOf(error)}). ${remedy}.`,
      { what: path, remedy },
      error,
    )
  }
}

/** Extensions of the file, then those of the command line, whose paths begin in the current folder; undefined where neither has any. */
export function writtenExtensions(given: readonly string[] | undefined, fromFile: unknown): unknown {
  if (given === undefined) return fromFile
  const here = given.map((module) => (module.startsWith('.') ? resolve(module) : module))
  return fromFile === undefined ? here : [...(Array.isArray(fromFile) ? (fromFile as unknown[]) : [fromFile]), ...here]
}

function tokenOf(text: string): { readonly token: string; readonly tenant: string } {
  const split = text.indexOf('=')
  return split > 0 ? { tenant: text.slice(0, split), token: text.slice(split + 1) } : { tenant: 'default', token: text }
}

function limitsOf({ 'drain-ms': drainMs }: ServingOptions, fromFile: unknown): unknown {
  return drainMs === undefined ? undefined : { ...settingsOf(fromFile), drainMs }
}

function promptCacheOf(options: ServingOptions, fromFile: unknown): unknown {
  const enabled = options['cache-keepalive']
  const seconds = options['keepalive-interval']
  if (enabled === undefined && seconds === undefined) return undefined
  return {
    ...settingsOf(fromFile),
    ...(enabled !== undefined && { keepalive: enabled === 'true' }),
    ...(seconds !== undefined && { keepaliveMs: 1000 * seconds }),
  }
}

/** A provider is real when its key is set, or when `--upstream` or the file names it. */
function upstreamsOf(
  options: ServingOptions,
  environment: Io['environment'],
  fromFile: unknown,
): Readonly<Record<string, unknown>> | undefined {
  if (options.simulate === true || options.script !== undefined) return {}
  const upstreams = isJsonObject(fromFile) ? { ...upstreamsWithKeys(fromFile, environment) } : {}
  for (const text of options.upstream ?? []) {
    const { name, baseUrl } = upstreamOf(text)
    upstreams[name] = { ...settingsOf(upstreams[name]), ...(baseUrl === undefined ? {} : { baseUrl }) }
  }
  for (const name of providerNames) {
    const apiKey = environment[providerEndpoints[name].keyVariable] ?? ''
    const named = upstreams[name]
    // A provider named on the command line gets the client's own credentials.
    if (apiKey === '' || named !== undefined) continue
    upstreams[name] = { apiKey }
  }
  return Object.keys(upstreams).length === 0 ? undefined : upstreams
}

function settingsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

function upstreamOf(text: string): { readonly name: string; readonly baseUrl?: string } {
  const split = text.indexOf('=')
  if (split >= 0) return { name: text.slice(0, split), baseUrl: text.slice(split + 1) }
  if (knownEndpoint(text) !== undefined) return { name: text }
  const known = [...providerNames, ...Object.keys(compatibleServers)].join(', ')
  throw invalidInput(
    '--upstream',
    `nothing is known by the name ${JSON.stringify(text)}`,
    `Use one of ${known}, or NAME=URL`,
  )
}
