import { hash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import type { ClaudeBehaviour } from '../model.ts'
import { automaticMark, markableBlocks, ttlMs, ttlOf } from './cache-markers.ts'
import type { MarkedBlock, Tier } from './cache-markers.ts'
import { canonicalBlock } from './canonical.ts'
import { blockTokens } from './tokens.ts'
import { contentBlocks, continuesTurn, isThinking } from './message.ts'

/** Tools, then system, then messages; what invalidates a tier without being in it is folded into its first block. */
export function renderAnthropic(call: SimulatedCall): RenderedRequest {
  const body = withoutOldThinking(call)
  const automatic = automaticMark(body)
  const places = markableBlocks(body).filter(isRendered)
  const anyMarker = automatic !== undefined || places.some(({ marker }) => marker !== undefined)
  const blocks = places.map((place, index): CacheBlock => {
    const before = places[index - 1]
    const salt = before?.tier === place.tier ? '' : saltOf(place.tier, body, call)
    const ttl = markedTtl({ place, automatic, anyMarker })
    return {
      hash: hash('sha256', `${salt} ${place.role} ${canonicalBlock(place.block)}`),
      tokens: blockTokens(call, place, before),
      ...(ttl === undefined ? {} : { breakpointTtlMs: ttl }),
    }
  })
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0)
  return { blocks, tokens, cacheKey: '', tiers: places.map(({ tier }) => tier) }
}

/** Deferred tools stay outside the prefix until a search finds them; server tools are described in the system tier. */
function isRendered({ tier, block }: MarkedBlock): boolean {
  return tier !== 'tools' || (block['defer_loading'] !== true && !isWebTool(block))
}

function isWebTool(tool: JsonObject): boolean {
  return /^web_(?:search|fetch)_/.test(textOf(tool['type']) ?? '')
}

interface MarkInput {
  readonly place: MarkedBlock
  readonly automatic: { readonly path: string; readonly ttl: string } | undefined
  readonly anyMarker: boolean
}

/** A marker of its own, the automatic one, or the one that results of server tools get once anything is marked. */
function markedTtl({ place, automatic, anyMarker }: MarkInput): number | undefined {
  const own = ttlOf(place.marker)
  if (own !== undefined) return ttlMs[own]
  if (automatic?.path === place.path) return ttlMs[automatic.ttl]
  const type = textOf(place.block['type']) ?? ''
  return anyMarker && type !== 'tool_result' && type.endsWith('_tool_result') ? ttlMs['5m'] : undefined
}

function saltOf(tier: Tier, body: JsonObject, { model }: SimulatedCall): string {
  if (tier === 'tools') return ''
  if (tier === 'system') {
    const webTools = objectsOf(body['tools']).filter(isWebTool)
    return JSON.stringify([webTools, hasCitations(body), body['speed'] ?? 'standard'])
  }
  const claude = model.provider === 'anthropic' ? model.claude : undefined
  const effort = objectOf(body['output_config'])['effort'] ?? 'high'
  return JSON.stringify([
    choiceSalt(body['tool_choice']),
    hasImages(body),
    thinkingSalt(body['thinking'], claude),
    effort,
  ])
}

function choiceSalt(choice: JsonValue | undefined): JsonValue {
  const { type = 'auto', name = null, disable_parallel_tool_use: serial = false } = objectOf(choice)
  return [type, name, serial]
}

/** Sending the default explicitly changes nothing. */
function thinkingSalt(thinking: JsonValue | undefined, claude: ClaudeBehaviour | undefined): JsonValue {
  const byDefault = claude?.thinkingByDefault ? 'adaptive' : 'disabled'
  const { type = byDefault, budget_tokens: budget = null } = objectOf(thinking)
  return [type, budget]
}

function hasImages(body: JsonObject): boolean {
  return everyBlock(body).some((block) => block['type'] === 'image')
}

function hasCitations(body: JsonObject): boolean {
  return everyBlock(body).some((block) => objectOf(block['citations'])['enabled'] === true)
}

function everyBlock(body: JsonObject): readonly JsonObject[] {
  const blocks = objectsOf(body['messages']).flatMap((message) => contentBlocks(message['content']))
  return [...blocks, ...blocks.flatMap((block) => objectsOf(block['content']))]
}

/** Models that do not keep thinking drop that of finished turns. */
function withoutOldThinking({ body, model }: SimulatedCall): JsonObject {
  if (model.provider === 'anthropic' && model.claude.keepsThinking) return body
  const messages = objectsOf(body['messages'])
  const asked = messages.findLastIndex((message) => message['role'] === 'user' && !continuesTurn(message))
  return {
    ...body,
    messages: messages.map((message, index) =>
      index > asked || message['role'] !== 'assistant'
        ? message
        : { ...message, content: contentBlocks(message['content']).filter((block) => !isThinking(block)) },
    ),
  }
}
