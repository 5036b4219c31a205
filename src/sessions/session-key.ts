import type { Exchange, Message, WireHeaders } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import type { Scope } from '../stores/index.ts'

/**
 * Which session a request belongs to: the first that is present of `x-session-id`, `x-session-affinity`, the body's cache
 * key, and the hash of what the conversation begins with. What goes under one name but begins differently (another agent,
 * a side question without tools, a compacted history) is a lane of its own, so that ledgers do not mix.
 */
export function sessionScope(tenant: string, exchange: Exchange): Scope {
  const { headers } = exchange.wire
  const beginning = beginningOf(exchange)
  const lane = sha256(`${exchange.conversation.tools.length > 0 ? 'tools' : 'bare'}\n${beginning}`).slice(0, 16)
  const named = header(headers, 'x-session-id') ?? header(headers, 'x-session-affinity') ?? exchange.wire.cacheKey
  const session = named?.slice(0, maxNameChars) ?? sha256(beginning).slice(0, 32)
  return { tenant, session, lane }
}

const maxNameChars = 256

/** The first system message and the first other one. */
function beginningOf(exchange: Exchange): string {
  const system = exchange.conversation.messages.find(isInstruction)
  const other = exchange.conversation.messages.find((message) => !isInstruction(message))
  const ids = new Set([...(system?.itemIds ?? []), ...(other?.itemIds ?? [])])
  const texts: string[] = []
  for (const item of exchange.conversation.items) {
    if (ids.has(item.id)) texts.push(`${item.role ?? ''}\n${item.text}`)
    if (texts.length === ids.size) break
  }
  return texts.join('\n')
}

function isInstruction(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer'
}

function header(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
