import type { Usage } from '../../core/index.ts'
import { dearestPrices, plausibleUsage, priceOf } from '../../tokens/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { nanoUsd } from './limit-entries.ts'
import type { Amounts } from './limit-entries.ts'

/** What a call takes, apart from being a request. */
export type CallAmounts = Pick<Amounts, 'nanoUsd' | 'tokens'>

export const noCall: CallAmounts = { nanoUsd: 0, tokens: 0 }

/** A model's prices; those of the dearest of its provider where they are not known. */
export function pricedAs(info: ModelInfo): ModelInfo & { readonly prices: NonNullable<ModelInfo['prices']> } {
  return { ...info, prices: info.prices ?? dearestPrices(info.provider) }
}

/** Vocabularies that count as their provider does. */
const exact: ReadonlySet<string> = new Set(['o200k_base', 'cl100k_base'])
/** By so much our count may fall short of a provider's. */
const exactMargin = 1.02
const estimateMargin = 1.1
/** What providers put around a prompt. */
const around = 16

export interface CallSize {
  /** Of all models that may answer. */
  readonly infos: readonly ModelInfo[]
  /** By our count. */
  readonly promptTokens: number
  readonly outputTokens: number
}

/** What a call comes to at most, however its cache turns out. */
export function mostOf({ infos, promptTokens, outputTokens }: CallSize): CallAmounts {
  const bounds = infos.map((info) => {
    const inputTokens = Math.ceil(promptTokens * (exact.has(info.encoding) ? exactMargin : estimateMargin)) + around
    const usage = { inputTokens, outputTokens }
    const cached = { cacheWriteTokens: inputTokens }
    const forms: readonly Usage[] = [
      usage,
      { ...usage, ...cached },
      { ...usage, ...cached, cacheWriteLongTokens: inputTokens },
    ]
    const usd = Math.max(...forms.map((form) => priceOf(form, pricedAs(info)) ?? 0))
    return { nanoUsd: nanoUsd(usd), tokens: inputTokens + outputTokens }
  })
  return {
    nanoUsd: Math.max(0, ...bounds.map((bound) => bound.nanoUsd)),
    tokens: Math.max(0, ...bounds.map(({ tokens }) => tokens)),
  }
}

/** What a call has come to; undefined where no request of the model can have used so much. */
export function billedFor(usage: Usage | undefined, info: ModelInfo): CallAmounts | undefined {
  const known = plausibleUsage(usage, info)
  if (known === undefined) return undefined
  const { inputTokens, outputTokens } = known
  return { nanoUsd: nanoUsd(priceOf(known, pricedAs(info)) ?? 0), tokens: inputTokens + outputTokens }
}
