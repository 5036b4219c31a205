import type { LayerCounter } from '../../telemetry/layer-metrics.ts'
import type { Layer } from '../../exchange/layer.ts'
import type { RequestTrace } from '../../exchange/trace.ts'

/** What becomes of a prompt that Google keeps by name. */
export const keptEvents = ['made', 'read', 'prolonged', 'removed', 'expired', 'lost', 'refused'] as const
export type KeptEvent = (typeof keptEvents)[number]

export const cachedContents = {
  kind: 'counter',
  name: 'cached_contents_total',
  help: 'What became of prompts that Google keeps by name.',
  labels: { event: keptEvents },
} as const satisfies LayerCounter

/** What the layer notes of a request and counts. */
export const contributes = {
  name: 'cached-contents',
  metrics: [cachedContents],
  facts: {
    events: { type: 'array', items: { type: 'string', enum: keptEvents } },
    /** Tokens that are kept for the session. */
    tokens: { type: 'number' },
    /** Dollars that the request was charged for making and keeping them; less than nothing where paid time went unused. */
    usd: { type: 'number' },
  },
} as const satisfies Partial<Layer>

/** What the visits of one request have told so far. */
export interface Told {
  readonly events: KeptEvent[]
  tokens?: number
  usd?: number
}

/** Notes all of it anew: facts of later visits replace those of earlier ones. */
export function noteTold(trace: Pick<RequestTrace, 'note'>, { events, tokens, usd }: Told): void {
  trace.note(contributes, { events, ...(tokens !== undefined && { tokens }), ...(usd !== undefined && { usd }) })
}
