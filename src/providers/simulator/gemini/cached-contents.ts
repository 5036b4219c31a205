import type { JsonObject } from '../../../core/index.ts'
import { textOf } from '../read-json.ts'
import type { ProviderProblem } from '../wire.ts'
import { either } from './body.ts'
import { invalid } from './invalid.ts'

/** Something that a caller keeps at the provider, and pays for by the hour. */
export interface StoredContent {
  readonly name: string
  readonly tenant: string
  readonly model: string
  /** The request that made it: what it holds. */
  readonly body: JsonObject
  readonly tokens: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly expiresMs: number
  /** When it was deleted; absent while it has not been. */
  readonly deletedMs?: number
}

/** All that was ever kept; what has expired or was deleted is found no more. */
export interface CachedContents {
  readonly all: readonly StoredContent[]
  add(content: StoredContent): void
  find(tenant: string, name: string, nowMs: number): StoredContent | undefined
  listed(tenant: string, nowMs: number): readonly StoredContent[]
  change(name: string, changes: Partial<StoredContent>): StoredContent | undefined
}

export function cachedContents(): CachedContents {
  const all: StoredContent[] = []
  const isAlive = (content: StoredContent, tenant: string, nowMs: number): boolean =>
    content.tenant === tenant && content.deletedMs === undefined && nowMs < content.expiresMs
  return {
    all,
    add: (content) => void all.push(content),
    find: (tenant, name, nowMs) => all.find((content) => content.name === name && isAlive(content, tenant, nowMs)),
    listed: (tenant, nowMs) => all.filter((content) => isAlive(content, tenant, nowMs)),
    change(name, changes) {
      const index = all.findIndex((content) => content.name === name)
      const found = all[index]
      if (found === undefined) return undefined
      return (all[index] = { ...found, ...changes })
    },
  }
}

/** Millions of tokens times hours, which is what is paid for: from when it was made until it was gone. */
export function storedTokenHours(contents: readonly StoredContent[], nowMs: number): number {
  return contents.reduce((sum, { tokens, createdMs, expiresMs, deletedMs }) => {
    const endMs = Math.min(nowMs, expiresMs, deletedMs ?? Infinity)
    return sum + ((tokens / 1_000_000) * (endMs - createdMs)) / 3_600_000
  }, 0)
}

/** As the provider tells it: what it holds is not shown again. */
export function contentResource(content: StoredContent): JsonObject {
  const displayName = textOf(either(content.body, 'displayName'))
  const at = (ms: number): string => new Date(ms).toISOString()
  return {
    name: content.name,
    model: `models/${content.model}`,
    ...(displayName !== undefined && { displayName }),
    createTime: at(content.createdMs),
    updateTime: at(content.updatedMs),
    expireTime: at(content.expiresMs),
    usageMetadata: { totalTokenCount: content.tokens },
  }
}

const anHourMs = 3_600_000

/** When it is to expire; an hour from now unless the request says. */
export function expiryOf(body: JsonObject, nowMs: number): number | ProviderProblem {
  const [ttl, time] = [either(body, 'ttl'), either(body, 'expireTime')]
  if (ttl !== undefined && time !== undefined) return invalid('Only one of ttl and expire_time may be set.')
  if (time !== undefined) {
    const ms = Date.parse(textOf(time) ?? '')
    return ms > nowMs ? ms : invalid('expire_time must be in the future.')
  }
  if (ttl === undefined) return nowMs + anHourMs
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(ttl) ?? '')?.[1]
  return seconds === undefined
    ? invalid("Invalid value at 'cached_content.ttl' (type.googleapis.com/google.protobuf.Duration)")
    : nowMs + Number(seconds) * 1000
}

export const contentNotFound: ProviderProblem = {
  status: 403,
  type: 'PERMISSION_DENIED',
  message: 'CachedContent not found (or permission denied)',
}

/** Members that say something of the content itself, and nothing of the prompt. */
const ofItself: ReadonlySet<string> = new Set(['ttl', 'expireTime', 'expire_time', 'displayName', 'display_name'])

/** What is kept, as the prompt that it is the beginning of. */
export function promptOf(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ofItself.has(name)))
}
