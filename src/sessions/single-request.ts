import type { CompileInput, WireExchange, JsonObject, Policy } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { codecFor, detectDialect } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { ModelCatalogue, ModelInfo } from '../tokens/index.ts'
import { compileInput } from './compile-input.ts'
import { liveState } from './live-state.ts'
import { offeredTools } from './offered-tools.ts'
import type { ToolOffer } from './offered-tools.ts'
import { rehydrateTool } from './tools/rehydrate-tool.ts'

/** A request without a session behind it: what the first of a session would be. */
export interface SingleRequest {
  readonly input: CompileInput
  readonly codec: Codec
  readonly exchange: WireExchange
  readonly info: ModelInfo
  /** Our own tools that it offers, where something needs those that bring back what is left out and where nothing does. */
  readonly tools: ToolOffer['tools']
}

export interface SingleOptions {
  readonly catalogue: ModelCatalogue
  readonly policy: Policy
  /** Told by the look of the body where absent. */
  readonly codec?: Codec | undefined
  /** Instead of the body's own. */
  readonly model?: string | undefined
  /** Instead of the model's own. */
  readonly windowTokens?: number | undefined
  readonly handleKey?: string
}

const tools = [rehydrateTool]

/** Reads a request body of any dialect into what is compiled, as the gateway does. Throws `invalid-input`. */
export function singleRequest(text: string, body: JsonObject, options: SingleOptions): SingleRequest {
  const { catalogue, policy, windowTokens, handleKey } = options
  const codec = options.codec ?? codecFor(detectDialect({ body }))
  const exchange = codec.decode({ body: text })
  const model = options.model ?? exchange.conversation.model
  if (model === '') throw invalidInput('model', 'missing', 'Name the model that it is for.')
  const info = catalogue.info(model)
  const offered = offeredTools(tools, { state: liveState(), exchange, info, nowMs: 0 })
  const input = compileInput({
    conversation: { ...exchange.conversation, model },
    info,
    policy,
    known: tools,
    tools: offered.now,
    ifNeeded: offered.ifNeeded,
    ...(windowTokens !== undefined && { windowTokens }),
    ...(handleKey !== undefined && { handleKey }),
  })
  return { input, codec, exchange, info, tools: offered.tools }
}
