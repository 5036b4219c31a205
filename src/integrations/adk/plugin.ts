import type { JsonObject } from '../../core/index.ts'
import type { RequestOptions, TurnReceipt } from '../../sessions/index.ts'
import { packedBodies, statusOf } from '../neutral/index.ts'
import type { IntegrationOptions } from '../neutral/index.ts'
import { hostCall, sessionKey } from './host-call.ts'
import { idle } from './idle.ts'
import type { AdkCall } from './host-call.ts'
import { filed, packedModel } from './packed-model.ts'
import type { Begun } from './packed-model.ts'
import { requestBody, withPacked } from './request-body.ts'
import { newRound } from './round.ts'
import type { Round } from './round.ts'
import type { BaseLlm, BasePlugin, Context, LlmRequest } from './types.ts'

/** As for every framework; sessions are those of the host, by its own ids. */
export interface AdkOptions extends Omit<IntegrationOptions, 'id' | 'onPacked' | 'step'> {
  /** Told what was decided about each call, what is sent of it, and where the call stands in the host's own records, before it is sent. */
  readonly onPacked?: (receipt: TurnReceipt, packed: JsonObject, call: AdkCall) => void
  /** The step of the host's task that a call is made for: with `blobs`, receipt and event have the URI of the manifest that was stored. */
  readonly step?: (call: AdkCall) => RequestOptions['step']
}

/** A plugin of the Agent Development Kit, for `plugins` of a runner. */
export interface AdkPlugin extends BasePlugin {
  /** The model for an agent that may be offered `rehydrate`: it is answered here, and the agent never sees it. */
  model<Llm extends BaseLlm>(llm: Llm): Llm
}

/**
 * Packs every call of a model that the agents of a runner of Google's ADK make:
 *
 * ```ts
 * const prehend = prehendPlugin({ policy: 'thrifty' })
 * const agent = new LlmAgent({ name: 'reader', model: prehend.model(new Gemini({ model: 'gemini-2.5-pro' })) })
 * const runner = new InMemoryRunner({ agent, plugins: [prehend] })
 * ```
 *
 * For an agent whose model is not wrapped only what loses nothing is left out.
 */
export function prehendPlugin(options: AdkOptions = {}): AdkPlugin {
  const bodies = packedBodies(options)
  const calls = new WeakMap<LlmRequest, Begun>()
  const models = new WeakSet<object>()
  /** Replies of models that are not ours, by the step of the host that asks for them. */
  const watched = new WeakMap<object, { readonly begun: Begun; readonly round: Round }>()

  const begin = async (context: Context, request: LlmRequest): Promise<Begun> => {
    const call = hostCall(context, request)
    const came = requestBody(request, options.model)
    const step = options.step?.(call)
    const own = {
      id: sessionKey(context, call),
      ...(step && { step }),
      ...(!models.has(modelOf(context) ?? {}) && { rehydrate: false }),
    }
    const packed = await bodies.pack(came, own)
    if (packed.receipt) options.onPacked?.(packed.receipt, packed.request, call)
    const { contents, config } = withPacked(request, came, packed.request)
    Object.assign(request, { contents, ...(config && { config }) })
    return { packed, came, contents, tools: new Set(call.tools) }
  }

  return Object.assign(Object.create(idle) as BasePlugin, {
    name: 'prehend',
    model<Llm extends BaseLlm>(llm: Llm): Llm {
      const made = packedModel(llm, (request) => calls.get(request))
      models.add(made)
      return made
    },
    async beforeModelCallback({ callbackContext, llmRequest }) {
      // What is packed stays as it is, however often it is asked for.
      if (calls.get(llmRequest)?.contents === llmRequest.contents || isElsewhere(callbackContext)) return undefined
      const begun = await begin(callbackContext, llmRequest)
      calls.set(llmRequest, begun)
      if (!models.has(modelOf(callbackContext) ?? {})) {
        watched.set(callbackContext.eventActions, { begun, round: newRound() })
      }
      return undefined
    },
    async afterModelCallback({ callbackContext, llmResponse }) {
      const own = watched.get(callbackContext.eventActions)
      if (own === undefined || llmResponse.partial === true) return undefined
      own.round.add(llmResponse)
      // In place: what a plugin gives back keeps those after it from being asked.
      Object.assign(llmResponse, filed(llmResponse, own.begun.packed))
      if (own.round.isOver()) {
        watched.delete(callbackContext.eventActions)
        await own.begun.packed.answered(own.round.body())
      }
      return undefined
    },
    async onModelErrorCallback({ callbackContext, error }) {
      const own = watched.get(callbackContext.eventActions)
      watched.delete(callbackContext.eventActions)
      await own?.begun.packed.refused(statusOf(error))
      return undefined
    },
  } satisfies Partial<AdkPlugin>) as AdkPlugin
}

/** The provider keeps the conversation, and gets only what is new of it. */
function isElsewhere(context: Context): boolean {
  const model = modelOf(context)
  return model !== undefined && 'useInteractionsApi' in model && model.useInteractionsApi === true
}

/** The model of the agent, or of the nearest one above it that has one. */
function modelOf({ invocationContext }: Context): object | undefined {
  for (let { agent } = invocationContext; agent !== undefined; agent = agent.parentAgent) {
    const model = 'model' in agent ? agent.model : undefined
    if (model !== undefined && model !== '') return Object(model) as object
  }
  return undefined
}
