import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultPolicy } from '../compiler/index.ts'
import { PrehendError, invalidInput, isJsonObject, isPrehendError } from '../core/index.ts'
import { compatibleServers, knownEndpoint, providerEndpoints, providerNames } from '../providers/index.ts'
import { blobsSettings } from './blobs-settings.ts'
import { writtenPolicy } from './policy-file.ts'
import { settingsOption, settingsSaid } from './policy-settings.ts'
import { errnoOf } from './listening.ts'
import { requireDistinctMembers } from './distinct-members.ts'
import { parseJson, plainText } from './read-text.ts'
import { otlpOf } from './otlp-variables.ts'
import { providerKeysOf } from './provider-key-variables.ts'
import { scriptOption } from './script-option.ts'
import { tokensOf, upstreamsWithKeys } from './secret-variables.ts'
import { storeOptions } from './store-place.ts'
import { variablesOf } from './variables.ts'
import type { OptionTable, OptionValues } from './command.ts'
import type { Io } from './io.ts'

/** What `serve` and `start` take. */
export const servingOptions = {
  'host': {
    type: 'text',
    about: 'address; others need --token',
    placeholder: 'HOST',
    fallback: '127.0.0.1',
    variables: variablesOf('HOST'),
    setting: 'host',
  },
  'port': {
    type: 'number',
    about: 'port; 0 takes a free one',
    placeholder: 'PORT',
    min: 0,
    max: 65_535,
    fallback: '8484',
    variables: variablesOf('PORT'),
    setting: 'port',
  },
  ...storeOptions,
  'mode': {
    type: 'text',
    about: 'on: pack requests; observe: report what packing would save; off: only send them',
    placeholder: 'MODE',
    choices: ['on', 'observe', 'off'],
    fallback: 'on',
    variables: variablesOf('MODE'),
    setting: 'mode',
  },
  'policy': {
    type: 'text',
    about: 'file or name: careful, thrifty, …',
    placeholder: 'POLICY',
    fallback: defaultPolicy.id,
    variables: variablesOf('POLICY'),
    setting: 'policy',
  },
  'set': settingsOption,
  'tokenizer': {
    type: 'text',
    about: 'exact (alias bpe): count by vocabularies; heuristic: estimate',
    placeholder: 'MODE',
    choices: ['exact', 'bpe', 'heuristic'],
    fallback: 'exact',
    variables: variablesOf('TOKENIZER_MODE'),
    setting: 'tokenizer',
  },
  'upstream': {
    type: 'list',
    about: 'a provider (openai, ollama, …) or NAME=URL; gets the keys sent for it',
    placeholder: 'NAME',
    variables: variablesOf('UPSTREAM'),
    setting: 'upstreams',
  },
  'simulate': {
    type: 'flag',
    about: 'use the simulated provider, whatever keys are set',
    variables: variablesOf('SIMULATE'),
  },
  'script': {
    ...scriptOption,
    about: `${scriptOption.about}; implies --simulate`,
  },
  'token': {
    type: 'list',
    about: 'clients must present it; or TENANT=TOKEN',
    placeholder: 'TOKEN',
    variables: variablesOf('TOKEN'),
    setting: 'tokens',
  },
  'allow-host': {
    type: 'list',
    about: 'extra Host header, where no token is set',
    placeholder: 'HOST',
    variables: variablesOf('ALLOW_HOST'),
    setting: 'allowedHosts',
  },
  'allow-origin': {
    type: 'list',
    about: 'an origin whose pages may call the gateway, such as https://app.example',
    placeholder: 'ORIGIN',
    variables: variablesOf('ALLOW_ORIGIN'),
    setting: 'allowedOrigins',
  },
  'no-rehydrate': {
    type: 'flag',
    about: 'offer no tool that brings originals back; use only lossless forms',
    variables: variablesOf('NO_REHYDRATE'),
    setting: 'rehydrate',
  },
  'cache-keepalive': {
    type: 'text',
    about: 'true or false: refresh cached prompts of slow sessions',
    placeholder: 'BOOL',
    choices: ['true', 'false'],
    fallback: 'true',
    variables: variablesOf('CACHE_KEEPALIVE'),
    setting: 'promptCache.keepalive',
  },
  'keepalive-interval': {
    type: 'number',
    about: 'between refreshes; a cache lasts 300',
    placeholder: 'SECONDS',
    min: 10,
    max: 290,
    fallback: '240',
    variables: variablesOf('KEEPALIVE_INTERVAL'),
    setting: 'promptCache.keepaliveMs',
  },
  'record': {
    type: 'text',
    about: 'content: keep whole requests; receipts: keep no texts',
    placeholder: 'WHAT',
    choices: ['content', 'receipts'],
    fallback: 'content',
    variables: variablesOf('RECORD'),
    setting: 'record',
  },
  'threads': {
    type: 'number',
    about: 'for large bodies (default: cores - 1, at most 8)',
    placeholder: 'N',
    min: 0,
    max: 64,
    variables: variablesOf('THREADS'),
    setting: 'threads',
  },
  'drain-ms': {
    type: 'number',
    about: 'time for requests to end after SIGTERM or Ctrl-C; a second signal ends them at once',
    placeholder: 'MS',
    min: 0,
    max: 86_400_000,
    fallback: '600000',
    variables: variablesOf('DRAIN_MS'),
    setting: 'limits.drainMs',
  },
  'config': {
    type: 'text',
    about: 'JSON file; docs/configuration.md lists all settings',
    placeholder: 'FILE',
    variables: variablesOf('CONFIG'),
  },
  'hot': {
    type: 'text',
    about: 'Redis that gateways on one store share',
    placeholder: 'URL',
    variables: variablesOf('HOT'),
    setting: 'hot',
  },
  'blobs': {
    type: 'text',
    about: 'folder, or s3://HOST/BUCKET with AWS_* keys, for bytes',
    placeholder: 'PLACE',
    variables: variablesOf('BLOBS'),
    setting: 'blobs',
  },
  'extension': {
    type: 'list',
    about: 'a module that adds to the gateway',
    placeholder: 'MODULE',
    variables: variablesOf('EXTENSION'),
    setting: 'extensions',
  },
  'log': {
    type: 'flag',
    about: 'write every event to standard error, as JSON lines',
    variables: variablesOf('LOG'),
  },
} as const satisfies OptionTable

/** Of `serve` and `doctor`: `start` serves in one process. */
export const workersOption = {
  type: 'number',
  about: 'processes that share the port (default: 1)',
  placeholder: 'N',
  min: 1,
  max: 64,
  variables: variablesOf('WORKERS'),
} as const

export type ServingOptions = OptionValues<typeof servingOptions>

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
