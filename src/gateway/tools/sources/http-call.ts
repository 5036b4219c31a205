import { isJsonObject, jsonValue } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { HttpBinding } from '../../../tools/index.ts'
import { ToolFailure, toolError } from './tool-failure.ts'
import type { SourceResult } from './tool-source.ts'

/** Where each argument goes. Those that are not named go into the query or, of methods with a body, into the body. */
export interface HttpPlaces {
  readonly query?: readonly string[]
  readonly headers?: readonly string[]
  /** The argument that is the body as a whole. */
  readonly body?: string
}

export interface HttpAsked {
  readonly binding: HttpBinding
  readonly arguments: JsonObject
  readonly places?: HttpPlaces
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const shownErrorChars = 2000
const named = /\{([^{}]+)\}/g

/** Runs a tool by a request. Redirects are not followed: they may lead anywhere. */
export async function callHttp(fetcher: typeof fetch, asked: HttpAsked): Promise<SourceResult> {
  const response = await fetcher(addressOf(asked), requestOf(asked))
  const text = await response.text()
  if (response.status >= 300) throw refused(response, text)
  const structured = /\bjson\b/i.test(response.headers.get('content-type') ?? '') ? jsonValue(text) : undefined
  return { text, ...(structured !== undefined && { structured: structured as JsonValue }) }
}

/** The address with its path and query filled in. An argument never leads out of the segment that it stands in. */
export function addressOf({ binding, arguments: given, places = {} }: HttpAsked): URL {
  const inPath = pathNames(binding.url)
  const filled = binding.url.replaceAll(named, (_, name: string) => segment(name, given[name]))
  const url = new URL(filled)
  const inQuery = places.query ?? (hasBody(binding) ? [] : Object.keys(given))
  for (const name of inQuery)
    if (!inPath.has(name) && given[name] !== undefined && !(places.headers ?? []).includes(name))
      for (const value of Array.isArray(given[name]) ? given[name] : [given[name]])
        url.searchParams.append(name, plain(value as JsonValue))
  return url
}

function requestOf({ binding, arguments: given, places = {}, headers, signal }: HttpAsked): RequestInit {
  const body = bodyOf(binding, given, places)
  const fromArguments = (places.headers ?? []).flatMap((name) =>
    given[name] === undefined ? [] : [[name, plain(given[name]).replaceAll(/[\r\n\0]/g, ' ')] as const],
  )
  return {
    method: binding.method ?? 'POST',
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json, text/*;q=0.9, */*;q=0.1',
      ...Object.fromEntries(fromArguments),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...binding.headers,
      ...headers,
    },
    ...(body !== undefined && { body }),
  }
}

function bodyOf(
  binding: HttpBinding,
  given: JsonObject,
  { query = [], headers = [], body }: HttpPlaces,
): string | undefined {
  if (!hasBody(binding)) return undefined
  if (body !== undefined) return given[body] === undefined ? undefined : JSON.stringify(given[body])
  const elsewhere = new Set([...pathNames(binding.url), ...query, ...headers])
  const rest = Object.entries(given).filter(([name]) => !elsewhere.has(name))
  return JSON.stringify(Object.fromEntries(rest))
}

function hasBody({ method = 'POST' }: HttpBinding): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

function pathNames(url: string): ReadonlySet<string> {
  return new Set([...url.matchAll(named)].map(([, name = '']) => name))
}

function segment(name: string, value: JsonValue | undefined): string {
  const text = value === undefined ? '' : plain(value)
  if (text === '' || text === '.' || text === '..')
    throw new ToolFailure({
      code: 'invalid-arguments',
      message: `\`${name}\` stands in the path of the request and must be a name; given: ${JSON.stringify(text)}.`,
      retryable: false,
      hint: `Give \`${name}\` another value.`,
    })
  return encodeURIComponent(text)
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function refused(response: Response, text: string): ToolFailure {
  const { status } = response
  const location = response.headers.get('location')
  if (status < 400)
    return toolError(`The server answered ${status} and points to ${location ?? 'nowhere'}, which is not followed.`)
  const retryable = status === 429 || status >= 500
  return toolError(`The server answered ${status}: ${messageIn(text)}`, retryable)
}

function messageIn(text: string): string {
  const value = jsonValue(text)
  const error = isJsonObject(value) ? (value['error'] ?? value['message'] ?? value['detail']) : undefined
  const said = isJsonObject(error) ? error['message'] : error
  return (typeof said === 'string' ? said : text).slice(0, shownErrorChars).toWellFormed()
}
