import { existsSync, readFileSync } from 'node:fs'
import { knownPolicy, policies, readPolicy } from '../compiler/index.ts'
import { PrehendError, invalidInput, isJsonObject, isPrehendError } from '../core/index.ts'
import { errnoOf } from './listening.ts'
import { parseJson, plainText } from './read-text.ts'
import type { JsonObject, Policy } from '../core/index.ts'

/** A policy as it is named on a command line: by its name, or by the file in which it is written. */
export interface NamedPolicy {
  readonly policy: Policy
  /** What the file says. */
  readonly written?: JsonObject
}

/** Names go first; what is none is a file. Throws `invalid-input` and `not-found` that name the option. */
export function policyAt(text: string, option: string): NamedPolicy {
  const written = writtenPolicy(text, option)
  if (written === undefined) return { policy: knownPolicy(text, option) }
  return { policy: readPolicy(written, { at: text }), written }
}

/** The JSON of the file, unless a policy that comes with the product goes by this name. */
export function writtenPolicy(text: string, option: string): JsonObject | undefined {
  if (Object.hasOwn(policies, text)) return undefined
  if (!/[./\\]/.test(text) && !existsSync(text)) return undefined
  const value = parseJson(readFile(text, option), text)
  if (isJsonObject(value)) return value
  throw invalidInput(text, 'is not a policy', 'Give a JSON object, for example { "extends": "careful", … }')
}

function readFile(path: string, option: string): string {
  try {
    return plainText(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (isPrehendError(error)) throw error
    const remedy = `Check the path given with ${option}, or use one of ${Object.keys(policies).join(', ')}`
    throw new PrehendError(
      'not-found',
      `${path} cannot be read (${errnoOf(error)}). ${remedy}.`,
      { what: path, remedy },
      error,
    )
  }
}
