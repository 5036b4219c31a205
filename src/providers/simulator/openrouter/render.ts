import type { CacheRules } from '../../../tokens/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { contentParts } from '../openai/message.ts'
import { messageBlocks, renderOpenai } from '../openai/render.ts'
import { objectsOf } from '../read-json.ts'
import { digest } from '../text-blocks.ts'
import { markOf } from './cache-marks.ts'
import { providerForm } from './provider-form.ts'
import type { Serving } from './serving.ts'
import { routedOf, servingOf } from './serving.ts'

const fiveMinutesMs = 300_000

/** The request as its provider reads it, with the cache of who serves it. */
export function renderRouted(call: SimulatedCall): RenderedRequest {
  const serving = servingOf(call)
  const rendered = renderedBy(call, serving)
  return { ...rendered, cacheKey: JSON.stringify([call.endpoint ?? '', rendered.cacheKey]) }
}

function renderedBy(call: SimulatedCall, { dialect, call: served }: Serving): RenderedRequest {
  const { vendor } = routedOf(call)
  if (vendor === 'qwen') return renderQwen(call, served)
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
  const cacheRules = markedRules(call, { minTokens: call.model.info.cache.minTokens, lookback: 1 })
  return { ...rendered, blocks: blocks.map(forFiveMinutes), cacheRules }
}

/** Alibaba caches what is marked and nothing else, and looks back by parts of messages. */
function renderQwen(call: SimulatedCall, served: SimulatedCall): RenderedRequest {
  const body = providerForm(call.body, { reasons: false, thinks: false, marks: 'all' })
  const whole = renderOpenai({ ...served, body: { ...body, messages: [] } })
  const parts = objectsOf(body['messages']).flatMap((message, index) => {
    const { content: _, ...rest } = message
    const frame = messageBlocks(served, rest, served.overhead.perMessage[index] ?? 0)
    const said = contentParts(message).map((part) => messageBlocks(served, { content: [part] }, 0))
    const [first = [], ...others] = said
    return [[...frame, ...first], ...others].map(joined)
  })
  const blocks = [...whole.blocks, ...parts].map(forFiveMinutes)
  const cacheRules = markedRules(call, { minTokens: 1024, lookback: 20 })
  return { blocks, tokens: blocks.reduce((sum, block) => sum + block.tokens, 0), cacheKey: '', cacheRules }
}

/** Several blocks as the one that they are there. */
function joined(blocks: readonly CacheBlock[]): CacheBlock {
  const ttlMs = blocks.at(-1)?.breakpointTtlMs
  return {
    hash: digest(blocks.map(({ hash }) => hash).join(' ')),
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(ttlMs !== undefined && { breakpointTtlMs: ttlMs }),
  }
}

function forFiveMinutes(block: CacheBlock): CacheBlock {
  return block.breakpointTtlMs === undefined ? block : { ...block, breakpointTtlMs: fiveMinutesMs }
}

function markedRules({ model }: SimulatedCall, rules: Pick<CacheRules, 'minTokens' | 'lookback'>): CacheRules {
  return {
    ...model.info.cache,
    kind: 'anthropic-breakpoints',
    maxBreakpoints: 4,
    stepTokens: 1,
    ttlMs: [fiveMinutesMs],
    ...rules,
  }
}
