import type { Dialect } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'

/** Where a provider is, and how it wants to be addressed. */
export interface ProviderEndpoint {
  readonly dialect: Dialect
  readonly baseUrl: string
  /** The environment variable that the provider's own SDKs take its key from. */
  readonly keyVariable: string
  authHeaders(apiKey: string): Readonly<Record<string, string>>
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })

/** Base URLs as the providers' own SDKs write them: OpenAI's form ends with the version, Anthropic's before it. */
export const providerEndpoints = {
  openai: {
    dialect: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    authHeaders: bearer,
  },
  anthropic: {
    dialect: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    authHeaders: (apiKey) => ({ 'x-api-key': apiKey }),
  },
  google: {
    dialect: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariable: 'GEMINI_API_KEY',
    authHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  },
  deepseek: {
    dialect: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    authHeaders: bearer,
  },
} as const satisfies Readonly<Record<string, ProviderEndpoint>>

export type ProviderName = keyof typeof providerEndpoints

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
  const versioned = /\/v\d[^/]*$/.test(base) || (dialect === 'openai-chat' && base !== '')
  return {
    origin: url.origin,
    pathOf: (path) => (versioned ? base + path.replace(/^\/v1(?:alpha|beta)?(?=\/|$)/, '') : base + path),
  }
}

function parsedUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw invalidInput('baseUrl', `"${baseUrl}" is not an http(s) URL`, 'Write it with its scheme and host.')
}
