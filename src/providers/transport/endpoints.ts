import type { Dialect, KnownDialect } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** Base URLs by the dialects that are spoken there; the first is the one in which other dialects are written. */
export type Spoken = Readonly<Partial<Record<Dialect, string>>>

/** Where a provider is, and how it wants to be addressed. */
export interface ProviderEndpoint {
  readonly speaks: Spoken
  /** The environment variable that the provider's own SDKs take its key from. */
  readonly keyVariable: string
}

/** Base URLs as the providers' own SDKs write them: OpenAI's form ends with the version, Anthropic's before it. */
export const providerEndpoints = {
  openai: {
    speaks: { 'openai-chat': 'https://api.openai.com/v1', 'openai-responses': 'https://api.openai.com/v1' },
    keyVariable: 'OPENAI_API_KEY',
  },
  anthropic: {
    speaks: { 'anthropic-messages': 'https://api.anthropic.com' },
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  google: {
    speaks: { gemini: 'https://generativelanguage.googleapis.com' },
    keyVariable: 'GEMINI_API_KEY',
  },
  deepseek: {
    speaks: {
      'openai-chat': 'https://api.deepseek.com/v1',
      'anthropic-messages': 'https://api.deepseek.com/anthropic',
    },
    keyVariable: 'DEEPSEEK_API_KEY',
  },
} as const satisfies Readonly<Record<string, ProviderEndpoint>>

export type ProviderName = keyof typeof providerEndpoints

export const providerNames = Object.keys(providerEndpoints) as readonly ProviderName[]

/** Servers of models of others, by name; the local ones where they listen by default. */
export const compatibleServers: Readonly<Record<string, Spoken>> = {
  openrouter: {
    'openai-chat': 'https://openrouter.ai/api/v1',
    'anthropic-messages': 'https://openrouter.ai/api',
  },
  groq: { 'openai-chat': 'https://api.groq.com/openai/v1' },
  mistral: { 'openai-chat': 'https://api.mistral.ai/v1' },
  xai: { 'openai-chat': 'https://api.x.ai/v1', 'openai-responses': 'https://api.x.ai/v1' },
  qwen: {
    'openai-chat': 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    'anthropic-messages': 'https://dashscope-intl.aliyuncs.com/apps/anthropic',
  },
  moonshot: {
    'openai-chat': 'https://api.moonshot.ai/v1',
    'anthropic-messages': 'https://api.moonshot.ai/anthropic',
  },
  zai: {
    'openai-chat': 'https://api.z.ai/api/paas/v4',
    'anthropic-messages': 'https://api.z.ai/api/anthropic',
  },
  ollama: { 'openai-chat': 'http://127.0.0.1:11434/v1' },
  lmstudio: { 'openai-chat': 'http://127.0.0.1:1234/v1', 'anthropic-messages': 'http://127.0.0.1:1234' },
  vllm: { 'openai-chat': 'http://127.0.0.1:8000/v1' },
  llamacpp: { 'openai-chat': 'http://127.0.0.1:8080/v1' },
}

/** Those that run on this machine, and ask for no key. */
export const localServers: ReadonlySet<string> = new Set(['ollama', 'lmstudio', 'vllm', 'llamacpp'])

/** Whether streams of Chat Completions are asked for usage, by `stream_options`. */
export type StreamUsageAsked = 'asked' | 'refused'

/** Mistral reports usage in every stream and refuses `stream_options`. llama.cpp moves its timings into the chunk with the usage. */
const neverAsked: Readonly<Record<string, StreamUsageAsked | undefined>> = { mistral: 'refused', llamacpp: undefined }

/** What is known of a server by its name; undefined where it is asked by clients alone. */
export function usageOfStreams(name: string): StreamUsageAsked | undefined {
  if (knownEndpoint(name) === undefined) return undefined
  return Object.hasOwn(neverAsked, name) ? neverAsked[name] : 'asked'
}

/** Whether all models of a server have their vendor in their names, as `vendor/model`. */
export function namesVendors(name: string): boolean {
  return name === 'openrouter'
}

/** The headers by which those who have several caches are told which requests are one session, so that they ask the same one again. */
const sessionHeaders: Readonly<Record<string, string>> = { openrouter: 'x-session-id', xai: 'x-grok-conv-id' }

/** Undefined for who wants to know of no session. */
export function sessionHeader(name: string): string | undefined {
  return Object.hasOwn(sessionHeaders, name) ? sessionHeaders[name] : undefined
}

/** What is known of an upstream by its name alone; undefined where nothing is. */
export function knownEndpoint(name: string): Spoken | undefined {
  const provider = providerNames.find((known) => known === name)
  if (provider) return providerEndpoints[provider].speaks
  return Object.hasOwn(compatibleServers, name) ? compatibleServers[name] : undefined
}

/** What a configuration may say of an upstream's address. */
export interface EndpointSettings {
  readonly baseUrl?: string | undefined
  readonly dialect?: Dialect | readonly Dialect[] | undefined
}

/** A dialect that an upstream speaks, and where. */
export interface SpokenAt {
  readonly dialect: Dialect
  readonly baseUrl: string
}

/**
 * The dialects that an upstream of this name speaks, its main one first. An address of one's own stands for that of the
 * main dialect, and of those that are spoken at the same place. Empty where nobody knows an address.
 */
export function spokenBy(name: string, { baseUrl, dialect }: EndpointSettings = {}): readonly SpokenAt[] {
  const known = knownEndpoint(name) ?? {}
  const [main] = Object.keys(known)
  const place = main === undefined ? undefined : known[main]
  const told = dialect === undefined ? undefined : [dialect].flat()
  const names = told ?? (main === undefined ? ['openai-chat'] : Object.keys(known))
  return names.flatMap((each): readonly SpokenAt[] => {
    const own = baseUrl !== undefined && (told !== undefined || place === undefined || known[each] === place)
    const url = own ? baseUrl : baseUrl === undefined ? (known[each] ?? place) : undefined
    return url === undefined ? [] : [{ dialect: each, baseUrl: url }]
  })
}

/** An address taken apart for `upstream`. */
export interface ProviderAddress {
  readonly origin: string
  /** Where a client's path, such as `/v1/chat/completions`, lies at the origin. */
  pathOf(path: string): string
}

/**
 * Takes a base URL apart. In OpenAI's form a path stands for the client's `/v1`; in Anthropic's, and in one without a
 * path, it goes in front of it. A trailing slash, and a `/v1` too many, do no harm.
 */
export function providerAddress(baseUrl: string, dialect: Dialect): ProviderAddress {
  const url = parsedUrl(baseUrl)
  const base = url.pathname.replace(/\/+$/, '')
  const versioned = /\/v\d[^/]*$/.test(base) || (isOpenai.has(dialect) && base !== '')
  return {
    origin: url.origin,
    pathOf: (path) => (versioned ? base + path.replace(/^\/v1(?:alpha|beta)?(?=\/|$)/, '') : base + path),
  }
}

const isOpenai: ReadonlySet<Dialect> = new Set<KnownDialect>(['openai-chat', 'openai-responses'])

function parsedUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw invalidInput('baseUrl', `"${baseUrl}" is not an http(s) URL`, 'Write it with its scheme and host.')
}
