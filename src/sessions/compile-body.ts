import type { CompileInput, Situation } from '../core/index.ts'
import { invalidInput, isJsonObject, parseJson } from '../core/index.ts'
import { dialects as builtInDialects } from '../codecs/index.ts'
import type { DialectTable } from '../codecs/index.ts'
import { knownPolicy } from '../compiler/index.ts'
import type { KnownPolicies } from '../compiler/index.ts'
import { compileDocumentSchema, parseCompileDocument } from './compile-document.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { singleRequest } from './single-request.ts'

export interface CompileBodyDefaults {
  /** The id of a policy. */
  readonly policy: string
  /** Those that there are; those that come with the product by default. */
  readonly policies?: KnownPolicies
  readonly situation?: Situation
  readonly catalogue?: ModelCatalogue
  /** Those that a body may be of; those that come with the product by default. */
  readonly dialects?: DialectTable
  /** Mixed into handles. */
  readonly handleKey?: string
}

/** Reads a `prehend.compile/1` document, or the body of a request. Throws `invalid-json` and `invalid-input`. */
export function readCompileBody(text: string, defaults: CompileBodyDefaults): CompileInput {
  const value = parseJson(text)
  if (!isJsonObject(value)) {
    throw invalidInput('body', 'is not an object', `Give a ${compileDocumentSchema} document or the body of a request.`)
  }
  const { catalogue = shippedCatalogue, dialects = builtInDialects, handleKey } = defaults
  // A key of the caller's choosing could make handles that stand for other texts.
  const key = { ...(handleKey !== undefined && { handleKey }) }
  if (!dialects.isRequest(value) || 'schema' in value) return { ...parseCompileDocument(value, defaults), ...key }
  const policy = knownPolicy(defaults.policy, 'policy', defaults.policies)
  const codec = dialects.for(dialects.detect({ body: value }))
  const { input } = singleRequest(text, value, { catalogue, policy, codec, ...key })
  return { ...input, ...(policy.overrides && defaults.situation && { situation: defaults.situation }) }
}
