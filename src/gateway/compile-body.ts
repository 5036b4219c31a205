import type { CompileInput, Dialect } from '../core/index.ts'
import { invalidInput, isJsonObject, rehydrateToolName } from '../core/index.ts'
import { codecFor, detectDialect, scanJson } from '../codecs/index.ts'
import { compileDocumentSchema, parseCompileDocument } from '../compile-document.ts'
import { cachePricesOf, shippedCatalogue } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'
import { overheadTokens } from './overhead-tokens.ts'
import { policyNamed } from './layers/request-settings.ts'

export interface CompileBodyDefaults {
  /** The id of a policy that comes with the product. */
  readonly policy: string
  readonly catalogue?: ModelCatalogue
}

/** Reads a `prehend.compile/1` document, or the body of a request in a dialect that is spoken. Throws `invalid-json` and `invalid-input`. */
export function readCompileBody(text: string, defaults: CompileBodyDefaults): CompileInput {
  const value = parseJson(text)
  if (!isJsonObject(value)) {
    throw invalidInput('body', 'is not an object', `Give a ${compileDocumentSchema} document or the body of a request.`)
  }
  const catalogue = defaults.catalogue ?? shippedCatalogue
  if ('messages' in value && !('schema' in value))
    return fromRequest(text, detectDialect({ body: value }), { ...defaults, catalogue })
  return parseCompileDocument(value, defaults)
}

function fromRequest(
  body: string,
  dialect: Dialect,
  { policy, catalogue }: Required<CompileBodyDefaults>,
): CompileInput {
  const { conversation } = codecFor(dialect).decode({ body })
  const { model, items, maxOutputTokens } = conversation
  const info = catalogue.info(model)
  const prices = cachePricesOf(info)
  return {
    items,
    budget: {
      windowTokens: info.windowTokens,
      overheadTokens: overheadTokens(conversation, info, false),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    policy: policyNamed(policy, 'policy'),
    layout: 'messages',
    hiddenTools: [rehydrateToolName],
    model,
    ...(prices && { prices }),
  }
}

/** With the place where a text stops being JSON, which the platform's parser does not always tell. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    scanJson(text)
    throw error
  }
}
