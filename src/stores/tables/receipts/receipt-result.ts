import type {
  Dialect,
  JsonObject,
  Loss,
  MissedLimit,
  ModelPreference,
  ModelTier,
  PromptPart,
  ReasonCode,
  Rung,
  Usage,
} from '../../../core/index.ts'

/** What an exchange cost, and what other ways of sending it would have cost. */
export interface ExchangeCost {
  /** Input tokens of all rounds, those too that the client has not seen, as the provider counted them. */
  readonly inputTokens: number
  /** Input tokens of the client's own request with everything in it, as the provider would have counted them: an estimate. */
  readonly passThroughTokens: number
  /** Dollars for all rounds, input and output; absent where the model's prices are not known. */
  readonly usd?: number
  /** Of `usd`, dollars for what the provider was asked to keep by name, its hours included; less than nothing where hours that were paid for went unused. */
  readonly keptUsd?: number
  /** Dollars for the client's own request with everything in it and our cache marks, and its answer: an estimate. Absent where `usd` is. */
  readonly passThroughUsd?: number
  /** The same with the client's own cache marks, or none: an estimate. Absent where `usd` is, and in receipts of earlier versions. */
  readonly clientUsd?: number
  /** In mode `observe`: what mode `on` would have cost. Absent in other modes, and where `usd` is. */
  readonly ifOn?: EstimateIfOn
}

/** Dollars that an observed request would have cost in mode `on`, by a simulated cache; calls of our own tools are not in it. */
export interface EstimateIfOn {
  readonly usd: number
  /** With everything in it and our cache marks. */
  readonly passThroughUsd: number
}

/** The first thing that is not as the request before has sent it. */
export interface PrefixChange {
  /** The client's words are others, or are gone; or we show them otherwise. */
  readonly by: 'client' | 'gateway'
  readonly part: PromptPart
  /** What stands there now; absent where nothing does. */
  readonly itemId?: string
}

/** Why a provider has read less from its cache than the request before had sent, and how much. */
export interface CacheMiss {
  /**
   * `expired`: it came too late. `other-model`: that one has a cache of its own. `changed`: it begins otherwise. `too-short`:
   * no provider caches so little. `evicted`: nothing of these; the provider has let go of it, or never had it.
   */
  readonly cause: 'expired' | 'other-model' | 'changed' | 'too-short' | 'evicted'
  readonly changed?: PrefixChange
  /** That were sent before and had to be read anew. */
  readonly tokens: number
  /** What that came to beyond a read from the cache; absent where no price is known. */
  readonly usd?: number
}

/** How a request was written for a provider that speaks another dialect than its client. */
export interface Crossed {
  readonly dialect: Dialect
  /** SHA-256 of the body that was sent, of the first round where there were several. */
  readonly hash: string
  /** What it does not say, or not as it was, and what of the reply could not be told. */
  readonly lost: readonly Loss[]
}

/** Which model was asked where the client's name for it left that open, and why. */
export interface RoutedModel {
  /** That the client has asked for. */
  readonly name: string
  readonly preference: ModelPreference
  /** In words for people. */
  readonly why: string
  readonly tier: ModelTier
  /** Absent where no model was asked. */
  readonly model?: string
  /** What was tried before, and why it did not manage. */
  readonly passed?: readonly { readonly tier: ModelTier; readonly model?: string; readonly because: string }[]
}

/** How often a prompt was read again at its provider while its session was silent, and what that came to. */
export interface KeptWarm {
  readonly refreshes: number
  /** Part of the exchange's cost; absent where no price is known. */
  readonly usd?: number
}

/** A request that went upstream behind the first of its exchange, with answers of our own tools that its client does not see. */
export interface LaterRound {
  /** SHA-256 of its body, in the client's dialect. */
  readonly hash: string
  /**
   * What it holds behind all rounds before it: raw JSON of the model's message and of the answers. Absent where content is not
   * recorded, and in lists.
   */
  readonly messages?: readonly string[]
}

/** The decision by which something was first shown shorter than it came, or left out. */
export interface LeftOut {
  readonly itemId: string
  readonly rung: Rung
  readonly reason: ReasonCode
  /** The request whose receipt has it; absent where it has none. */
  readonly requestId?: string
}

/** What a tool of ours has brought back, and the decision by which it was first left out. */
export interface Fetched {
  readonly handle: string
  /** Absent where it is not known. */
  readonly leftOut?: LeftOut
}

/** Why the words of a provider's answer are not there. */
export const whyNoAnswers = ['not-recorded', 'unreadable', 'empty'] as const

/** With what a provider has refused a request, or ended its stream. */
export interface ProviderAnswer {
  readonly status: number
  /** Its name of the error, where it has one. */
  readonly type?: string
  /** Its first 2,000 characters; null where `whyNot` says why. */
  readonly message: string | null
  readonly whyNot?: (typeof whyNoAnswers)[number]
}

/**
 * What a layer did. `passed`: request and reply went through it as they were. `changed`: it changed one of them. `answered`: it
 * answered by itself. `skipped`: it failed, and the request went on without it. `refused`: it ended the request in an error of its own
 * words. `failed`: it failed, and nothing was sent without it.
 */
export const layerOutcomes = ['passed', 'changed', 'answered', 'skipped', 'refused', 'failed'] as const
export type LayerOutcome = (typeof layerOutcomes)[number]

/** What a layer has noted of a request, as it declares it. */
export type LayerFacts = JsonObject

/** One layer's part in an exchange; a layer that was passed twice stands there twice. */
export interface LayerResult {
  readonly name: string
  /** What it took by itself, without what came after it. */
  readonly ms: number
  /** Absent in receipts of earlier versions. */
  readonly outcome?: LayerOutcome
  /** Absent where it has noted none. */
  readonly facts?: LayerFacts
}

/** How the exchange ended, added when it has. */
/** Whose token or key a request was sent with. */
export interface Asker {
  /** The id of a virtual key, or the name of a token. */
  readonly key: string
  readonly team?: string
  readonly user?: string
}

/** How a request ended: its status, usage, cost and what came back. */
export interface ReceiptResult {
  /** 0 where nothing was sent as the receipt says. */
  readonly status: number
  /** Of all rounds, those too that the client has not seen. */
  readonly usage?: Usage
  /** The model that has answered, where several were asked for and it is not the first of them. */
  readonly answeredBy?: string
  /** Absent where the client has named its model. */
  readonly routed?: RoutedModel
  /** Absent where the provider did not report what every round has used. */
  readonly cost?: ExchangeCost
  readonly rehydrations: number
  /** What they brought back, each handle once; absent where they brought back nothing. */
  readonly fetched?: readonly Fetched[]
  /** In the order in which they went; absent where the first request was the only one. */
  readonly rounds?: readonly LaterRound[]
  /** Hidden exchanges that could not be put back into the client's conversation; absent where all were. */
  readonly hiddenLost?: number
  /** Markers of ours that were written out in the client's calls; absent where there were none. */
  readonly markersWritten?: number
  /** Calls of the client's that were answered in hidden rounds, since one held a marker that nothing resolves; absent where there were none. */
  readonly callsWithheld?: number
  readonly upstreamMs: number
  readonly overheadMs: number
  /** What each layer did, innermost first. */
  readonly layers?: readonly LayerResult[]
  /** Layers, sources and filters that failed and were left out. */
  readonly skipped?: readonly string[]
  /** The field for which nobody could read the request; absent where it was read. */
  readonly unreadField?: string
  /** Absent where the cache was read as far as it could be, or nobody knows. */
  readonly cacheMiss?: CacheMiss
  /** What was spent to have its cache last until it came; absent where nothing was. */
  readonly keptWarm?: KeptWarm
  /** The simulated provider was asked, and the dollars are what another would have cost; absent where a provider was asked, and in receipts of earlier versions. */
  readonly simulated?: true
  /** Absent where the provider speaks the client's dialect. */
  readonly crossed?: Crossed
  /** Limits of its step that are not kept since this request; absent where there are none. */
  readonly missedLimits?: readonly MissedLimit[]
  /** Absent where no token or key was presented. */
  readonly asker?: Asker
  /** Code of the error that cut the reply short. */
  readonly failure?: string
  /** Absent where no provider said no. */
  readonly answer?: ProviderAnswer
}

/** A result without what its requests have said: as it stands in lists, and where bodies are let go. */
export function withoutMessages(result: ReceiptResult): ReceiptResult {
  const { rounds } = result
  return rounds ? { ...result, rounds: rounds.map(({ hash }) => ({ hash })) } : result
}

/** Whether a layer has answered a request, and no provider was asked. */
export function isAnsweredHere({ layers = [], upstreamMs }: Pick<ReceiptResult, 'layers' | 'upstreamMs'>): boolean {
  return upstreamMs === 0 && layers.some(({ outcome }) => outcome === 'answered')
}

/** The innermost layer that let a request go no further, of one that was not sent. */
export function stoppedBy(result: Pick<ReceiptResult, 'layers'> | undefined): LayerResult | undefined {
  return result?.layers?.find(({ outcome }) => outcome !== undefined && stops.has(outcome))
}

const stops: ReadonlySet<LayerOutcome> = new Set(['answered', 'refused', 'failed'])

/** Whether nobody has answered a request, or not to the end; one whose client has left has not failed. */
export function isFailed({
  status,
  failure,
}: Pick<ReceiptResult, 'status'> & { failure?: string | undefined }): boolean {
  return status === 0 || status >= 400 || (failure !== undefined && failure !== 'client-gone')
}
