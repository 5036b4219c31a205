import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Affect, Policy, Situation } from '../../core/index.ts'
import { didYouMean, invalidInput } from '../../core/index.ts'

const word = z.string().min(1).max(200).optional()
const feeling = z.number().min(-1).max(1)

/** What a body's `prehend` member says of the situation. */
export const situationMembers = {
  taskClass: word,
  agentPhase: word,
  lifecyclePhase: word,
  regime: word,
  turnPhase: word,
  affect: z.strictObject({ pleasure: feeling, arousal: feeling, dominance: feeling }).optional(),
}

/** The same by header, for clients whose bodies somebody else writes. */
const headerNames = {
  taskClass: 'x-prehend-task-class',
  agentPhase: 'x-prehend-agent-phase',
  lifecyclePhase: 'x-prehend-lifecycle-phase',
  regime: 'x-prehend-regime',
  turnPhase: 'x-prehend-turn-phase',
} as const

const affectHeader = 'x-prehend-affect'

/** What of a request's settings may be said by header, too; its body goes before. */
export const settingHeaders = {
  policy: 'x-prehend-policy',
  mode: 'x-prehend-mode',
  parentSession: 'x-prehend-parent-session',
} as const

/** How good the request before it in the session turned out. */
export const outcomeHeader = 'x-prehend-outcome'

const prefix = 'x-prehend-'

/** Headers of ours that a request may have. */
const knownHeaders: readonly string[] = [
  ...Object.values(settingHeaders),
  ...Object.values(headerNames),
  affectHeader,
  outcomeHeader,
]

/** Throws `invalid-input` that names a header that is meant for us and that nobody knows. */
export function requireKnownHeaders(headers: object): void {
  for (const name in headers) {
    if (!name.startsWith(prefix) || knownHeaders.includes(name)) continue
    const meant = didYouMean(
      name.slice(prefix.length),
      knownHeaders.map((known) => known.slice(prefix.length)),
    )
    const remedy = `${meant.replace('mean ', `mean ${prefix}`)}There are ${knownHeaders.join(', ')}; a session goes by x-session-id.`
    throw invalidInput(name, 'is not a header that is read', remedy)
  }
}

/** What of a situation is a name, less the tenant, whom the token tells. */
export const situationNames = Object.keys(headerNames) as readonly (keyof typeof headerNames)[]

type Said = { readonly [Name in keyof Omit<Situation, 'tenant'>]?: Situation[Name] | undefined }

export interface SaidOfSituation {
  readonly headers: IncomingHttpHeaders
  /** The body's words, which go before the headers'. */
  readonly body: Said
  /** By whose token it came. */
  readonly tenant: string
}

/** What a request says that it is part of; undefined where neither it nor its policy has anything to say of that. */
export function requestSituation(
  { overrides }: Policy,
  { headers, body, tenant }: SaidOfSituation,
): Situation | undefined {
  const said: { -readonly [Name in keyof Situation]: Situation[Name] } = {}
  for (const name of situationNames) {
    const value = body[name] ?? headerOf(headers, headerNames[name])
    if (value !== undefined) said[name] = value
  }
  const affect = body.affect ?? affectSaid(headers[affectHeader], affectHeader)
  if (affect !== undefined) said.affect = affect
  return overrides === undefined && Object.keys(said).length === 0 ? undefined : { tenant, ...said }
}

/** A word by header. Throws `invalid-input` that names the header. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  if (value === undefined) return undefined
  const text = String(value).trim()
  if (text === '' || text.length > 200) throw invalidInput(name, 'is not a name', 'Give 1 to 200 characters.')
  return text
}

/** A quality from 0 to 1 by header. Throws `invalid-input` that names the header. */
export function outcomeSaid(headers: IncomingHttpHeaders): number | undefined {
  const value = headers[outcomeHeader]
  if (value === undefined) return undefined
  const text = String(value).trim()
  const quality = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (quality >= 0 && quality <= 1) return quality
  throw invalidInput(outcomeHeader, 'is not a quality', 'Give a number from 0 to 1, such as 0.8.')
}

/** Pleasure, arousal and dominance, in this order. Throws `invalid-input` that names the field. */
export function affectSaid(value: string | readonly string[] | undefined, field: string): Affect | undefined {
  if (value === undefined) return undefined
  const numbers = String(value).slice(0, 100).split(',')
  const [pleasure = Number.NaN, arousal = Number.NaN, dominance = Number.NaN] = numbers.map((text) =>
    text.trim() === '' ? Number.NaN : Number(text),
  )
  const isWithin = (feels: number): boolean => feels >= -1 && feels <= 1
  if (numbers.length !== 3 || ![pleasure, arousal, dominance].every(isWithin))
    throw invalidInput(
      field,
      'is not an affect',
      'Give pleasure, arousal and dominance, each from -1 to 1: `-0.4,0.2,0`.',
    )
  return { pleasure, arousal, dominance }
}
