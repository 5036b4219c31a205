import type { CompileInput, Dialect, JsonObject } from '../core/index.ts'
import { invalidInput, isJsonObject, rehydrateToolName } from '../core/index.ts'
import { codecFor, scanJson } from '../codecs/index.ts'
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

/** Reads a `prehend.compile/1` document, or the body of an OpenAI or Anthropic request. Throws `invalid-json` and `invalid-input`. */
export function readCompileBody(text: string, defaults: CompileBodyDefaults): CompileInput {
  const value = parseJson(text)
  if (!isJsonObject(value)) {
    throw invalidInput('body', 'is not an object', `Give a ${compileDocumentSchema} document or the body of a request.`)
  }
  const catalogue = defaults.catalogue ?? shippedCatalogue
  if ('messages' in value && !('schema' in value))
    return fromRequest(text, dialectOf(value, catalogue), { ...defaults, catalogue })
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

const anthropicBlocks = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking'])

/** What could be either is taken for OpenAI's. */
function dialectOf({ model, system, messages }: JsonObject, catalogue: ModelCatalogue): Dialect {
  const isClaude = typeof model === 'string' && catalogue.info(model).provider === 'anthropic'
  if (system !== undefined || isClaude) return 'anthropic-messages'
  return Array.isArray(messages) && messages.some(hasAnthropicBlock) ? 'anthropic-messages' : 'openai-chat'
}

function hasAnthropicBlock(message: unknown): boolean {
  const content = isJsonObject(message) ? message['content'] : undefined
  if (!Array.isArray(content)) return false
  return content.some((block) => isJsonObject(block) && anthropicBlocks.has(String(block['type'])))
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
