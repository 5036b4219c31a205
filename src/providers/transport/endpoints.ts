import type { Dialect, KnownDialect } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** Where a provider is, and how it wants to be addressed. */
export interface ProviderEndpoint {
  readonly dialect: Dialect
  readonly baseUrl: string
  /** The environment variable that the provider's own SDKs take its key from. */
  readonly keyVariable: string
}

/** Base URLs as the providers' own SDKs write them: OpenAI's form ends with the version, Anthropic's before it. */
export const providerEndpoints = {
  openai: {
    dialect: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
  },
  anthropic: {
    dialect: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  google: {
    dialect: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariable: 'GEMINI_API_KEY',
  },
  deepseek: {
    dialect: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
  },
} as const satisfies Readonly<Record<string, ProviderEndpoint>>

export type ProviderName = keyof typeof providerEndpoints

export const providerNames = Object.keys(providerEndpoints) as readonly ProviderName[]

/** Servers that speak OpenAI's dialect for models of others, by name; the local ones where they listen unless told. */
export const compatibleServers: Readonly<Record<string, string>> = {
  openrouter: 'https://openrouter.ai/api/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  xai: 'https://api.x.ai/v1',
  qwen: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  ollama: 'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  vllm: 'http://127.0.0.1:8000/v1',
  llamacpp: 'http://127.0.0.1:8080/v1',
}

/** What is known of an upstream by its name alone; its address is undefined where nothing is. */
export function knownEndpoint(name: string): { readonly dialect: Dialect; readonly baseUrl: string | undefined } {
  const provider = providerNames.find((known) => known === name)
  if (provider) return providerEndpoints[provider]
  const baseUrl = Object.hasOwn(compatibleServers, name) ? compatibleServers[name] : undefined
  return { dialect: 'openai-chat', baseUrl }
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
