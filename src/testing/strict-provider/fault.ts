import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'

/** A rule of a provider that a body breaks; the path leads to the place. */
export type Refuse = (path: string, rule: string) => void

export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

export interface NameRule {
  readonly alphabet: RegExp
  readonly most: number
}

/** What OpenAI asks of the names of functions. */
export const callNames: NameRule = { alphabet: /^[a-zA-Z0-9_-]+$/, most: 64 }

export function checkName(refuse: Refuse, path: string, { alphabet, most, name }: NameRule & { name: string }): void {
  if (name === '') refuse(path, 'is empty')
  else if (!alphabet.test(name)) refuse(path, `does not match ${alphabet}`)
  if (name.length > most) refuse(path, `is longer than ${most}`)
}

/** What Claude and OpenAI ask of the schema of a function. */
export function checkSchema(refuse: Refuse, path: string, schema: JsonObject): void {
  if (schema['type'] !== 'object') refuse(`${path}.type`, 'has to be "object"')
  for (const name of ['oneOf', 'anyOf', 'allOf'])
    if (schema[name] !== undefined) refuse(`${path}.${name}`, 'does not stand at the top of a schema')
}

/** Calls that wait for their results, by id. */
export class OpenCalls {
  readonly #known = new Set<string>()
  readonly #open = new Set<string>()
  readonly #refuse: Refuse

  constructor(refuse: Refuse) {
    this.#refuse = refuse
  }

  call(path: string, id: string, isOnce: boolean): void {
    if (isOnce ? this.#known.has(id) : this.#open.has(id)) this.#refuse(path, `the id ${id} stands twice`)
    this.#known.add(id)
    this.#open.add(id)
  }

  result(path: string, id: string): void {
    if (!this.#open.delete(id)) this.#refuse(path, `the result ${id} has no call before it`)
  }

  /** Nothing may come between calls and their results. */
  over(path: string): void {
    for (const id of this.#open) this.#refuse(path, `the call ${id} has no result`)
    this.#open.clear()
  }
}
