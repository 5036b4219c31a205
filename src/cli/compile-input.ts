import { codecFor, detectDialect } from '../codecs/index.ts'
import { invalidInput, isJsonObject, rehydrateToolName } from '../core/index.ts'
import { parseCompileDocument } from '../index.ts'
import { careful, policies } from '../compiler/index.ts'
import { cachePricesOf, conversationOverhead, shippedCatalogue } from '../tokens/index.ts'
import { parseJson } from './read-text.ts'
import type { Codec } from '../codecs/index.ts'
import type { CompileInput, Exchange, JsonObject, Policy } from '../core/index.ts'

/** What the command line changes in what is compiled. */
export interface CompileChanges {
  readonly budget?: number | undefined
  readonly model?: string | undefined
  readonly policy?: string | undefined
  readonly layout?: string | undefined
  readonly dialect?: string | undefined
}

export interface CompileTask {
  readonly input: CompileInput
  /** Present for a request body: what puts the pack back into it. */
  readonly body?: { readonly codec: Codec; readonly exchange: Exchange }
}

export const policyIds = Object.keys(policies)

/** Reads a `prehend.compile/1` document, or a request body of either dialect. */
export function compileTask(text: string, file: string, changes: CompileChanges): CompileTask {
  const value = parseJson(text, file)
  if (!isJsonObject(value)) {
    throw invalidInput(file, 'is not an object', 'Give a prehend.compile/1 document or a request body')
  }
  if ('schema' in value || 'items' in value) return { input: changed(parseCompileDocument(value), changes) }
  if ('messages' in value) return bodyTask(text, value, changes)
  throw invalidInput(file, 'is neither a document nor a request body', 'It needs `schema` and `items`, or `messages`')
}

function changed(input: CompileInput, { budget, model, policy, layout }: CompileChanges): CompileInput {
  return {
    ...input,
    ...(budget === undefined ? {} : { budget: { ...input.budget, windowTokens: budget } }),
    ...(model === undefined ? {} : { model }),
    ...(policy === undefined ? {} : { policy: policyOf(policy) }),
    ...(layout === undefined ? {} : { layout: layout as CompileInput['layout'] }),
  }
}

/** Choices are checked by the parser. */
function policyOf(id: string | undefined): Policy {
  return (id === undefined ? undefined : policies[id]) ?? careful
}

function bodyTask(text: string, value: JsonObject, changes: CompileChanges): CompileTask {
  const codec = codecFor(changes.dialect ?? detectDialect({ body: value }))
  const exchange = codec.decode({ body: text })
  const { conversation } = exchange
  const model = changes.model ?? conversation.model
  const info = shippedCatalogue.info(model)
  const prices = cachePricesOf(info)
  const { maxOutputTokens } = conversation
  const input: CompileInput = {
    items: conversation.items,
    budget: {
      windowTokens: changes.budget ?? info.windowTokens,
      overheadTokens: conversationOverhead(conversation, info),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    policy: policyOf(changes.policy),
    layout: changes.layout === 'payload' ? 'payload' : 'messages',
    model,
    frame: { request: conversation.items.findLast((item) => item.section === 'query')?.text ?? '' },
    hiddenTools: [rehydrateToolName],
    rehydration: exchange.wire.acceptsTool,
    ...(prices === undefined ? {} : { prices }),
  }
  return { input, body: { codec, exchange } }
}
