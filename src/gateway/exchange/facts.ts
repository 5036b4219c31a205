import { invalidInput, isJsonObject } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'
import type { LayerFacts } from '../../stores/index.ts'

/** What a fact may be: a part of JSON Schema. */
export type FactSchema =
  | { readonly type: 'number' }
  | { readonly type: 'boolean' }
  /** 200 characters by default, 1,000 at most. */
  | { readonly type: 'string'; readonly enum?: readonly string[]; readonly maxLength?: number }
  /** 20 members by default, 100 at most. */
  | { readonly type: 'array'; readonly items: FactSchema; readonly maxItems?: number }
  | { readonly type: 'object'; readonly properties: FactsSchema }

/** The facts that a layer may note of a request, by name. None of them has to be there. */
export interface FactsSchema {
  readonly [name: string]: FactSchema
}

/** The facts of a schema, as a layer notes them. */
export type FactsOf<Schema> = { readonly [Name in keyof Schema]?: FactOf<Schema[Name]> }

type FactOf<Schema> = Schema extends { readonly type: 'number' }
  ? number
  : Schema extends { readonly type: 'boolean' }
    ? boolean
    : Schema extends { readonly type: 'string'; readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly type: 'string' }
        ? string
        : Schema extends { readonly type: 'array'; readonly items: infer Items }
          ? readonly FactOf<Items>[]
          : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
            ? FactsOf<Properties>
            : never

/** Why a fact was dropped: no such name is declared, it is not what was declared, or there is no room for it. */
export const dropReasons = ['undeclared', 'type', 'too-large'] as const
export type DropReason = (typeof dropReasons)[number]

/** Tells of a fact that was dropped, and never what it said. */
export interface DroppedFact {
  /** As declared; absent where no such name is. */
  readonly name?: string
  readonly reason: DropReason
}

export interface BoundedFacts {
  readonly facts: LayerFacts
  readonly dropped: readonly DroppedFact[]
}

/** All facts of a layer together, as JSON. */
const mostFactChars = 2000

/** The facts that were known, and of the new ones those that are as declared and have room. Never throws. */
export function boundedFacts(schema: FactsSchema, known: LayerFacts, noted: unknown): BoundedFacts {
  const facts: Record<string, JsonValue> = { ...known }
  const dropped: DroppedFact[] = []
  for (const [name, value] of entriesOf(noted)) {
    if (value === undefined) continue
    const declared = Object.hasOwn(schema, name) ? schema[name] : undefined
    const fact = declared && copied(declared, value)
    if (declared === undefined) dropped.push({ reason: 'undeclared' })
    else if (fact === undefined) dropped.push({ name, reason: 'type' })
    else if (fact === tooLarge || JSON.stringify({ ...facts, [name]: fact }).length > mostFactChars)
      dropped.push({ name, reason: 'too-large' })
    else facts[name] = fact
  }
  return { facts, dropped }
}

/** A value that cannot be read has no facts. */
function entriesOf(noted: unknown): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(noted as object)
  } catch {
    return []
  }
}

const tooLarge = Symbol('too large')
type Fact = JsonValue | typeof tooLarge | undefined

const usualChars = 200
const usualMembers = 20

/** Undefined for a value that cannot be read, too. */
function copied(schema: FactSchema, value: unknown): Fact {
  try {
    return factOf(schema, value)
  } catch {
    return undefined
  }
}

/** A copy; undefined for what is not as declared. */
function factOf(schema: FactSchema, value: unknown): Fact {
  switch (schema.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'string':
      if (typeof value !== 'string' || schema.enum?.includes(value) === false) return undefined
      return value.length > (schema.maxLength ?? usualChars) ? tooLarge : value
    case 'array':
      if (!Array.isArray(value)) return undefined
      if (value.length > (schema.maxItems ?? usualMembers)) return tooLarge
      return whole(value.map((each) => factOf(schema.items, each)))
    case 'object':
      return objectOf(schema.properties, value)
  }
}

function objectOf(properties: FactsSchema, value: unknown): Fact {
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  if (!entries.every(([name]) => Object.hasOwn(properties, name))) return undefined
  const facts = whole(entries.map(([name, each]) => factOf(properties[name] as FactSchema, each)))
  return Array.isArray(facts) ? Object.fromEntries(facts.map((fact, at) => [entries[at]?.[0], fact])) : facts
}

function whole(facts: readonly Fact[]): readonly JsonValue[] | typeof tooLarge | undefined {
  if (facts.includes(undefined)) return undefined
  return facts.includes(tooLarge) ? tooLarge : (facts as readonly JsonValue[])
}

const mostFacts = 20
const mostDepth = 3
const mostStringChars = 1000
const mostMembers = 100
const nameForm = /^[A-Za-z][\w-]{0,39}$/

/** Throws `invalid-input` where a schema allows more than a receipt should hold. */
export function requireFacts(layer: string, schema: FactsSchema, depth = 1): void {
  const wrong = (problem: string): Error =>
    invalidInput('layers', `has the layer ${layer} whose facts ${problem}`, 'Declare fewer and smaller facts.')
  if (Object.keys(schema).length > mostFacts) throw wrong(`are more than ${mostFacts}`)
  if (depth > mostDepth) throw wrong(`are deeper than ${mostDepth} levels`)
  for (const [name, fact] of Object.entries(schema)) {
    if (!nameForm.test(name)) throw wrong(`have the name ${JSON.stringify(name)}`)
    if (fact.type === 'string' && (fact.maxLength ?? 0) > mostStringChars)
      throw wrong(`have a text of more than ${mostStringChars} characters`)
    if (fact.type === 'array' && (fact.maxItems ?? 0) > mostMembers)
      throw wrong(`have a list of more than ${mostMembers} members`)
    if (fact.type === 'array') requireFacts(layer, { items: fact.items }, depth + 1)
    if (fact.type === 'object') requireFacts(layer, fact.properties, depth + 1)
  }
}
