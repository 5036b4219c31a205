import type { z } from 'zod'
import type { PrincipalScope } from '../../core/index.ts'

/** A value as it is answered: what is only read may be handed out as it stands. */
export type Answered<Value> = Value extends readonly (infer Element)[]
  ? readonly Answered<Element>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Answered<Value[Key]> }
    : Value

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** What a route that is not answered in JSON is answered in. */
export const medias = ['text/event-stream', 'text/plain', 'application/octet-stream'] as const

/**
 * One route of our own, stated once: its types, what it takes, the published document and the page of documentation all derive from it.
 * Parameters of its path stand in braces and are texts.
 */
export interface Route<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: Method
  readonly path: string
  readonly name: string
  /** One sentence. */
  readonly about: string
  readonly more?: string
  readonly query?: Query
  readonly body?: Body
  /** Whether its body is bytes of any media type. */
  readonly takesBytes?: true
  /** Whether no body is as good as `{}`. */
  readonly mayBeEmpty?: true
  readonly answer?: Answer
  readonly media?: (typeof medias)[number]
  /** 200 by default. */
  readonly status?: number
  /** Of its path and its query, for the documentation. */
  readonly example: string
  /** Whether it is answered without a token. */
  readonly open?: true
  /** What whoever asks needs; by default `read` of a GET, and else `inference`. */
  readonly scope?: PrincipalScope
  /** Whether it answers figures and no text of a request: then `operator` is as good as its scope. */
  readonly figures?: true
  /** Whether a program that watches the gateway may ask it: then `metrics` is as good as its scope. */
  readonly monitored?: true
  /** Whether it changes a session or tells what was said in one, so that it takes the scope `read` beside its own. */
  readonly readsToo?: true
  /** Codes of errors that are its own, beside those of all. */
  readonly errors?: readonly string[]
}

export function route<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType>(
  stated: Route<Query, Body, Answer>,
): Route<Query, Body, Answer> {
  return stated
}

/** What whoever asks a route needs; nothing where it is open. */
export function scopeOf({ scope, method, open }: Pick<Route, 'scope' | 'method' | 'open'>): PrincipalScope | undefined {
  if (open) return undefined
  return scope ?? (method === 'get' ? 'read' : 'inference')
}

/** The scopes of which whoever asks a route needs one. */
export function scopesOf(
  asked: Pick<Route, 'scope' | 'method' | 'open' | 'figures' | 'monitored'>,
): readonly PrincipalScope[] {
  const scope = scopeOf(asked)
  if (scope === undefined) return []
  return [scope, ...(asked.figures ? (['operator'] as const) : []), ...(asked.monitored ? (['metrics'] as const) : [])]
}

/** Who asks a route. */
export interface Asker {
  readonly keyId: string
  readonly scopes: readonly PrincipalScope[]
  /** The address that the request came from. */
  readonly from: string
}

/** What a request asks of a route. */
export interface Asked<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType> {
  readonly tenant: string
  readonly asker: Asker
  /** Under which the gateway was asked: of an address, what stands before the path. */
  readonly host: string
  readonly params: Readonly<Record<string, string>>
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}
