import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'

/** A member under its name or in snake case: both are one here. */
export function either(object: JsonObject, name: string): JsonValue | undefined {
  return object[name] ?? object[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined
}

export interface Content {
  readonly role: string
  readonly parts: readonly JsonObject[]
  /** Among the contents. */
  readonly index: number
}

/** What is said; the provider takes one content alone as well as a list. */
export function contentsOf(body: JsonObject): readonly Content[] {
  const { contents } = body
  const list = Array.isArray(contents) ? objectsOf(contents) : contents == null ? [] : [objectOf(contents)]
  return list.map((content, index) => ({
    role: textOf(content['role']) ?? 'user',
    parts: partsOf(content),
    index,
  }))
}

export function partsOf(content: JsonObject): readonly JsonObject[] {
  const { parts } = content
  return Array.isArray(parts) ? objectsOf(parts) : parts == null ? [] : [objectOf(parts)]
}

/** Contents of one role that follow each other are one turn, as those of a stream that came in pieces. */
export function turnsOf(body: JsonObject): readonly Content[] {
  const turns: Content[] = []
  for (const { role: told, parts, index } of contentsOf(body)) {
    const role = told === 'model' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] }
    else turns.push({ role, parts, index })
  }
  return turns
}

export function callIn(part: JsonObject): JsonObject | undefined {
  const call = either(part, 'functionCall')
  return call === undefined ? undefined : objectOf(call)
}

export function responseIn(part: JsonObject): JsonObject | undefined {
  const response = either(part, 'functionResponse')
  return response === undefined ? undefined : objectOf(response)
}

export function systemParts(body: JsonObject): readonly JsonObject[] {
  return partsOf(objectOf(either(body, 'systemInstruction')))
}

export function configOf(body: JsonObject): JsonObject {
  return objectOf(either(body, 'generationConfig'))
}

export function callingOf(body: JsonObject): JsonObject {
  return objectOf(either(objectOf(either(body, 'toolConfig')), 'functionCallingConfig'))
}

/** The functions that the model gets to know: of several lists it reads the first. */
export function declarationsOf(body: JsonObject): readonly JsonObject[] {
  const { tools } = body
  // A single one may stand for a list of one, as everywhere in Google's JSON.
  const all = Array.isArray(tools) ? objectsOf(tools) : [objectOf(tools)]
  const lists = all.map((tool) => objectsOf(either(tool, 'functionDeclarations')))
  return lists.find((list) => list.length > 0) ?? []
}

/** The schema of a function's parameters, as JSON Schema writes types. */
export function schemaOf(declaration: JsonObject): JsonObject {
  return objectOf(either(declaration, 'parametersJsonSchema') ?? lowered(declaration['parameters'] ?? {}))
}

function lowered(value: JsonValue, name = ''): JsonValue {
  if (typeof value === 'string') return name === 'type' ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map((member) => lowered(member as JsonValue))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => [key, lowered(member ?? null, key)]),
  )
}
