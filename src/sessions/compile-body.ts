import type { CompileInput, Policy } from '../core/index.ts'
import { invalidInput, isJsonObject, parseJson } from '../core/index.ts'
import { dialects } from '../codecs/index.ts'
import { policies } from '../compiler/index.ts'
import { compileDocumentSchema, parseCompileDocument } from './compile-document.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { singleRequest } from './single-request.ts'

export interface CompileBodyDefaults {
  /** The id of a policy that comes with the product. */
  readonly policy: string
  readonly catalogue?: ModelCatalogue
  /** Mixed into handles. */
  readonly handleKey?: string
}

/** Reads a `prehend.compile/1` document, or the body of a request. Throws `invalid-json` and `invalid-input`. */
export function readCompileBody(text: string, defaults: CompileBodyDefaults): CompileInput {
  const value = parseJson(text)
  if (!isJsonObject(value)) {
    throw invalidInput('body', 'is not an object', `Give a ${compileDocumentSchema} document or the body of a request.`)
  }
  const { catalogue = shippedCatalogue, handleKey } = defaults
  // A key of the caller's choosing could make handles that stand for other texts.
  const key = { ...(handleKey !== undefined && { handleKey }) }
  if (!dialects.isRequest(value) || 'schema' in value) return { ...parseCompileDocument(value, defaults), ...key }
  return singleRequest(text, value, { catalogue, policy: policyNamed(defaults.policy, 'policy'), ...key }).input
}

/** A policy by its id. Throws `invalid-input` that names the field. */
export function policyNamed(id: string, field: string): Policy {
  const policy = Object.hasOwn(policies, id) ? policies[id] : undefined
  if (!policy) throw invalidInput(field, 'is not a policy', `Known are ${Object.keys(policies).join(', ')}.`)
  return policy
}
