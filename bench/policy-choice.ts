import { knownPolicy, readPolicy } from '../src/compiler/index.ts'
import type { Policy } from '../src/core/index.ts'
import { invalidInput, isJsonObject, parseJson } from '../src/core/index.ts'
import type { JsonObject, JsonValue } from '../src/core/index.ts'

/** A policy under the name that it was asked for by. */
export interface PolicyUnderName {
  readonly name: string
  readonly policy: Policy
}

/**
 * Reads `careful`, `careful:epochs.patience=.5,epochs.keepFull=8`, `careful:{"epochs":{"patience":0.5}}` or a policy in JSON. What is
 * changed is checked as in a policy file.
 */
export function policyChoice(text: string): PolicyUnderName {
  const colon = text.indexOf(':')
  if (text.startsWith('{')) return changed(text, jsonObject(text))
  if (colon < 0) return { name: text, policy: knownPolicy(text, '--policy') }
  const changes = text.slice(colon + 1)
  const base = { extends: text.slice(0, colon) }
  return changed(text, { ...base, ...(changes.startsWith('{') ? jsonObject(changes) : assigned(changes)) })
}

function changed(name: string, value: JsonObject): PolicyUnderName {
  return { name, policy: readPolicy({ id: 'tried', version: '1.0.0', ...value }, { at: name }) }
}

function jsonObject(text: string): JsonObject {
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  throw invalidInput('--policy', `${text} is not an object`, 'Give a JSON object')
}

/** `epochs.patience=.5,epochs.keepFull=8` as an object. */
function assigned(text: string): JsonObject {
  return text.split(',').reduce<JsonObject>((object, one) => {
    const [path = '', value] = one.split('=')
    if (path === '' || value === undefined) throw invalidInput('--policy', `${one} is not PATH=VALUE`, 'Write a.b=1')
    return withMember(object, path.split('.'), valueOf(value))
  }, {})
}

function withMember(object: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...object, [name]: value }
  const inner = object[name]
  return { ...object, [name]: withMember(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** A number, also as `.5`, a word of JSON, or text. */
function valueOf(text: string): JsonValue {
  if (/^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/i.test(text)) return Number(text)
  if (text === 'true' || text === 'false' || text === 'null') return parseJson(text) as JsonValue
  return text
}
