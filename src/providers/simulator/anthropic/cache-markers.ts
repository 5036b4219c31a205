import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { isJsonObject } from '../../../core/index.ts'
import { objectsOf } from '../read-json.ts'
import { contentBlocks, isThinking, placedBlocks } from './message.ts'

export type Tier = 'tools' | 'system' | 'messages'

/** A block that could be marked, in the order in which the provider renders them, with the marker it has. */
export interface MarkedBlock {
  readonly tier: Tier
  readonly path: string
  /** Position in its tier; of a message's block, in the message. */
  readonly index: number
  readonly role: string
  /** Index of its message; -1 outside the messages. */
  readonly messageIndex: number
  readonly block: JsonObject
  readonly marker: JsonValue | undefined
}

export function markableBlocks(body: JsonObject): readonly MarkedBlock[] {
  const outside = { role: '', messageIndex: -1 }
  const tools = objectsOf(body['tools']).map((block, index) => ({
    block,
    index,
    path: `tools.${index}`,
    tier: 'tools' as const,
  }))
  const system = contentBlocks(body['system']).map((block, index) => ({
    block,
    index,
    path: `system.${index}`,
    tier: 'system' as const,
  }))
  const messages = placedBlocks(body).map(({ block, path, message, messageIndex, blockIndex }) => ({
    block,
    index: blockIndex,
    path,
    messageIndex,
    tier: 'messages' as const,
    role: String(message['role']),
  }))
  return [...tools, ...system, ...messages].map((place) => ({ ...outside, ...place, marker: markerOf(place.block) }))
}

/** A marker on the content of a tool result counts for the whole block. */
function markerOf(block: JsonObject): JsonValue | undefined {
  const own = block['cache_control'] ?? undefined
  if (own !== undefined || block['type'] !== 'tool_result') return own
  return objectsOf(block['content']).findLast((inner) => inner['cache_control'] != null)?.['cache_control']
}

export function ttlOf(marker: JsonValue | undefined): string | undefined {
  if (!isJsonObject(marker)) return undefined
  return typeof marker['ttl'] === 'string' ? marker['ttl'] : '5m'
}

export const ttlMs: Readonly<Record<string, number>> = { '5m': 300_000, '1h': 3_600_000 }

function isCacheable(block: JsonObject): boolean {
  return !isThinking(block) && !(block['type'] === 'text' && block['text'] === '')
}

export interface AutomaticMark {
  readonly path: string
  readonly ttl: string
  /** The marker that the block already has. */
  readonly marker: JsonValue | undefined
}

/** Where the top-level marker goes: the last block that can carry one. */
export function automaticMark(body: JsonObject): AutomaticMark | undefined {
  const ttl = body['cache_control'] == null ? undefined : ttlOf(body['cache_control'])
  const place = ttl && markableBlocks(body).findLast(({ block }) => isCacheable(block))
  return ttl && place ? { path: place.path, ttl, marker: place.marker } : undefined
}
