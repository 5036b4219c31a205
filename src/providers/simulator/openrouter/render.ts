import type { CacheRules } from '../../../tokens/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { contentParts } from '../openai/message.ts'
import { renderOpenai } from '../openai/render.ts'
import { objectsOf } from '../read-json.ts'
import { markOf } from './cache-marks.ts'
import { providerForm } from './provider-form.ts'
import type { Serving } from './serving.ts'
import { routedOf, servingOf } from './serving.ts'

const fiveMinutesMs = 300_000

const asLastMarked: CacheRules = {
  kind: 'anthropic-breakpoints',
  minTokens: 0,
  stepTokens: 1,
  maxBreakpoints: 1,
  lookback: 1,
  ttlMs: [fiveMinutesMs],
}

/** The request as its provider reads it, with the cache of who serves it. */
export function renderRouted(call: SimulatedCall): RenderedRequest {
  const serving = servingOf(call)
  const rendered = renderedBy(call, serving)
  return { ...rendered, cacheKey: JSON.stringify([call.endpoint ?? '', rendered.cacheKey]) }
}

function renderedBy(call: SimulatedCall, { dialect, call: served }: Serving): RenderedRequest {
  const { vendor } = routedOf(call)
  if (vendor === 'google' && isMarked(call)) return renderGoogle(call, served)
  return dialect.render(served)
}

function isMarked({ body }: SimulatedCall): boolean {
  return objectsOf(body['messages']).some((message) => contentParts(message).some((part) => markOf(part) !== undefined))
}

/** Google keeps what stands before the last mark, for five minutes; marks before it say nothing. */
function renderGoogle(call: SimulatedCall, served: SimulatedCall): RenderedRequest {
  const body = providerForm(call.body, { reasons: false, thinks: false, marks: 'last' })
  const { blocks, ...rendered } = renderOpenai({ ...served, body })
  const { minTokens } = call.model.info.cache
  return { ...rendered, blocks: blocks.map(forFiveMinutes), cacheRules: { ...asLastMarked, minTokens } }
}

function forFiveMinutes(block: CacheBlock): CacheBlock {
  return block.breakpointTtlMs === undefined ? block : { ...block, breakpointTtlMs: fiveMinutesMs }
}
