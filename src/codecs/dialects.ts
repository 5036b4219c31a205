import type { Dialect, JsonObject, JsonValue, WireHeaders } from '../core/index.ts'
import { PrehendError, invalidInput, isJsonObject, literalPattern } from '../core/index.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { Codec, RouteKind } from './codec.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** What may tell the dialect of a request; what is absent tells nothing. */
export interface DialectTraces {
  readonly path?: string
  readonly headers?: WireHeaders
  /** Parsed. */
  readonly body?: JsonValue
}

export interface CodecRoute {
  readonly kind: RouteKind
  readonly codec: Codec
}

/** The dialects that are spoken, and how a request is told to be of one. */
export interface DialectTable {
  readonly codecs: readonly Codec[]
  readonly names: readonly Dialect[]
  for(dialect: Dialect): Codec
  /** The dialect of a request: by its path, else by its headers, else by its body; what could be any is the first one's. */
  detect(traces: DialectTraces): Dialect
  /** Whether a body is of a request in one of the dialects, whichever. */
  isRequest(body: JsonObject): boolean
  /** What a provider of some dialect answers under this path, if any does. */
  route(method: string, path: string, headers?: WireHeaders): CodecRoute | undefined
}

/** Throws `invalid-input` where two dialects have one name. */
export function dialectTable(codecs: readonly [Codec, ...Codec[]]): DialectTable {
  const [first] = codecs
  requireDistinct(codecs)
  const byName = new Map(codecs.map((codec) => [codec.dialect, codec]))
  const routes = codecs.flatMap((codec) =>
    codec.signs.routes.map((route) => ({ ...route, codec, isAt: pathTest(route.path) })),
  )

  const route: DialectTable['route'] = (method, path, headers = {}) => {
    const matching = routes.filter((known) => known.method === method && known.isAt(path))
    return (
      matching.find(({ codec }) => isSigned(codec, headers)) ??
      matching.find(({ codec }) => !hasHeader(codec)) ??
      matching[0]
    )
  }

  const byPath = (path: string, headers: WireHeaders): Codec | undefined => {
    const plain = path.split('?', 1)[0] ?? ''
    const found = route('POST', plain, headers) ?? route('GET', plain, headers)
    const rooted = codecs.find(({ signs }) => signs.roots?.some((root) => plain.startsWith(root)))
    return found?.codec ?? rooted ?? routes.find((known) => plain.startsWith(`${known.path}/`))?.codec
  }

  return {
    codecs,
    names: codecs.map(({ dialect }) => dialect),
    for(dialect) {
      const codec = byName.get(dialect)
      if (codec !== undefined) return codec
      const remedy = `Use one of ${[...byName.keys()].join(', ')}.`
      throw new PrehendError('invalid-input', `dialect: there is no ${dialect}. ${remedy}`, {
        field: 'dialect',
        remedy,
      })
    },
    detect({ path, headers = {}, body }) {
      const told = path === undefined ? undefined : byPath(path, headers)
      const signed = codecs.find((codec) => isSigned(codec, headers))
      const keyed = codecs.find((codec) => isKeyed(codec, headers))
      return (told ?? signed ?? mostAlike(codecs, body) ?? keyed ?? first).dialect
    },
    isRequest: (body) => 'messages' in body || codecs.some(({ signs }) => signs.likeness(body) === 2),
    route,
  }
}

function requireDistinct(codecs: readonly Codec[]): void {
  const names = codecs.map(({ dialect }) => dialect)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw invalidInput('dialects', `have ${JSON.stringify(twice)} twice`, 'Give each dialect a name of its own.')
}

function hasHeader({ signs }: Codec): boolean {
  return signs.header !== undefined
}

function isSigned({ signs }: Codec, headers: WireHeaders): boolean {
  return signs.header !== undefined && headers[signs.header] !== undefined
}

function isKeyed({ signs }: Codec, headers: WireHeaders): boolean {
  return signs.credential !== undefined && headers[signs.credential] !== undefined
}

function mostAlike(codecs: readonly Codec[], body: JsonValue | undefined): Codec | undefined {
  if (!isJsonObject(body)) return undefined
  let best: { readonly codec: Codec; readonly likeness: number } | undefined
  for (const codec of codecs) {
    const likeness = codec.signs.likeness(body)
    if (likeness > (best?.likeness ?? 0)) best = { codec, likeness }
  }
  return best?.codec
}

/** `{name}` stands for one part of a path, or for what is before a colon in it; `{model}` for a name that may have several parts. */
function pathTest(path: string): (asked: string) => boolean {
  if (!path.includes('{')) return (asked) => asked === path
  const parts = path.split(/(\{[a-z]+\})/).map(patternOf)
  const pattern = new RegExp(`^${parts.join('')}$`)
  return (asked) => pattern.test(asked)
}

/** Names of models have slashes, which Google's SDK leaves as they are. */
function patternOf(part: string): string {
  if (!part.startsWith('{')) return literalPattern(part)
  return part === '{model}' ? '.+' : '[^/]+'
}

const builtIn = [openaiChat, anthropicMessages, openaiResponses, gemini] as const

/** Every dialect that comes with the product; a new one is a folder and its name here. */
export const dialects: DialectTable = dialectTable(builtIn)

/** The same with others beside them. A body that could be of any dialect stays the first one's. Throws `invalid-input` where two have one name. */
export function dialectsWith(others: readonly Codec[]): DialectTable {
  return others.length === 0 ? dialects : dialectTable([...builtIn, ...others])
}
