import { defaultPolicy } from '../compiler/index.ts'
import { settingsOption } from './policy-settings.ts'
import { scriptOption } from './script-option.ts'
import { storeOptions } from './store-place.ts'
import { variablesOf } from './variables.ts'
import type { OptionTable, OptionValues } from './command.ts'

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
