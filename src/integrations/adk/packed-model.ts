import type { JsonObject } from '../../core/index.ts'
import { statusOf, withOwn } from '../neutral/index.ts'
import type { PackedBody } from '../neutral/index.ts'
import { withPacked } from './request-body.ts'
import { newRound } from './round.ts'
import type { BaseLlm, LlmRequest, LlmResponse, Part } from './types.ts'

/** A call that is packed. */
export interface Begun {
  readonly packed: PackedBody
  /** The request's body as it came. */
  readonly came: JsonObject
  /** The contents that were put into the request. */
  readonly contents: LlmRequest['contents']
  /** Names of the tools that the agent offers. */
  readonly tools: ReadonlySet<string>
}

/** The same model, which answers calls of hidden tools by being asked again; a request that is not known goes through as it is. */
export function packedModel<Llm extends BaseLlm>(llm: Llm, begun: (request: LlmRequest) => Begun | undefined): Llm {
  const generate: BaseLlm['generateContentAsync'] = (request, stream, signal) => {
    const call = begun(request)
    const ask = (sent: LlmRequest) => llm.generateContentAsync(sent, stream, signal)
    return call ? rounds(call, request, ask) : ask(request)
  }
  return withOwn<BaseLlm>(llm, { generateContentAsync: generate }) as Llm
}

type Responses = AsyncGenerator<LlmResponse, void>

/**
 * The replies of all rounds as one. Words flow on as they come; what is whole comes when the round is over, because only then it is
 * known whose calls they are.
 */
async function* rounds(begun: Begun, request: LlmRequest, ask: (request: LlmRequest) => Responses): Responses {
  const { packed, came, tools } = begun
  for (let sent = request; ;) {
    const round = newRound()
    try {
      for await (const response of ask(sent)) {
        if (response.partial === true) yield* inWords(response, tools)
        else round.add(response)
      }
    } catch (error) {
      await packed.refused(statusOf(error))
      throw error
    }
    // Cut off: nothing is known of its end.
    if (round.isEmpty()) return
    const again = await packed.next(round.body())
    if (again === undefined) {
      const parts = partsOf(await packed.answered(round.body()))
      for (const response of round.answered(parts, (name) => tools.has(name))) yield filed(response, packed)
      return
    }
    sent = withPacked(request, came, again)
  }
}

/** A piece of a stream without calls that are not the agent's. */
function* inWords(response: LlmResponse, tools: ReadonlySet<string>): Generator<LlmResponse, void> {
  const parts = response.content?.parts ?? []
  const shown = parts.filter(({ functionCall }) => functionCall === undefined || tools.has(functionCall.name ?? ''))
  if (shown.length === parts.length) yield response
  else if (shown.length > 0) yield { ...response, content: { ...response.content, parts: shown } }
}

function partsOf(reply: JsonObject): readonly Part[] {
  const { candidates } = reply as {
    readonly candidates?: readonly { readonly content?: { readonly parts?: Part[] } }[]
  }
  return candidates?.[0]?.content?.parts ?? []
}

/** The response with a word by which the host's log finds the receipt. */
export function filed(response: LlmResponse, { receipt }: PackedBody): LlmResponse {
  if (receipt === undefined) return response
  const { requestId, packId, manifestUri } = receipt
  const prehend = { requestId, packId, ...(manifestUri !== undefined && { manifestUri }) }
  return { ...response, customMetadata: { ...response.customMetadata, prehend } }
}
