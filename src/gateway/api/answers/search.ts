import type { Item } from '../../../core/index.ts'
import type { Store } from '../../../stores/index.ts'
import { labelReader } from './session-labels.ts'
import type { ReadLabels } from './session-labels.ts'
import type { Asked } from '../route.ts'
import type { searchQuery } from '../routes/overview-routes.ts'
import { excerptOf, searchedTexts } from './search-texts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { ServingParts } from '../../parts.ts'

interface SearchParts {
  readonly labels?: ReadLabels
  readonly whyNoTexts?: string | null
}

/** Why a search finds no texts of a tenant's new requests. */
export function whyTextsAreMissing({ config }: ServingParts, { tenant }: Asked): string | null {
  if (settingsFor(config, tenant).record === 'content') return null
  return 'content is not recorded: record is "receipts". Set record to "content" (prehend serve --record content).'
}

/** Names that hold or begin with a text, and items of a session's last request that have it. */
export async function answerSearch(
  store: Store,
  { tenant, query }: Asked<typeof searchQuery>,
  { labels = labelReader(store), whyNoTexts = null }: SearchParts = {},
) {
  const { q, session, limit } = query
  const named = await store.read('names').find(tenant, q, limit)
  const said = await sessionsThatSay({ store, labels, tenant, sought: q.toLowerCase() })
  const others = said.filter((one) => !named.sessions.some((other) => other.session === one.session))
  const found = { ...named, sessions: [...named.sessions, ...others].slice(0, limit) }
  const texts = await searchedTexts(store, { tenant, words: q, limit })
  if (session === undefined) return { ...found, texts, whyNoTexts, items: [] }
  const [newest] = await store.read('receipts').list(tenant, { session, limit: 1 })
  const receipt = newest && (await store.read('receipts').get(tenant, newest.requestId))
  const sought = q.toLowerCase()
  const items = (receipt?.input?.items ?? []).filter((item) => placeIn(item, sought) !== undefined).slice(0, limit)
  return {
    ...found,
    texts,
    whyNoTexts,
    items: items.map((item) => ({
      session,
      requestId: receipt?.requestId ?? '',
      itemId: item.id,
      toolName: item.toolName ?? null,
      excerpt: excerptOf(item.text, placeIn(item, sought) ?? 0),
    })),
  }
}

/** Sessions, newest first, whose first words are searched. */
const searchedSessions = 200

interface SessionSearch {
  readonly store: Store
  readonly labels: ReadLabels
  readonly tenant: string
  readonly sought: string
}

async function sessionsThatSay({ store, labels, tenant, sought }: SessionSearch) {
  const said = await labels(tenant, searchedSessions)
  const names = new Set(said.filter(({ words }) => words.toLowerCase().includes(sought)).map(({ session }) => session))
  if (names.size === 0) return []
  const sessions = await store.read('results').sessions(tenant, { limit: searchedSessions })
  return sessions.filter(({ session }) => names.has(session)).map(({ session, usedMs }) => ({ session, usedMs }))
}

/** Where in an item's text something is found; 0 where its name has it. */
function placeIn({ id, toolName = '', text }: Item, sought: string): number | undefined {
  const at = text.toLowerCase().indexOf(sought)
  if (at >= 0) return at
  return `${id}\n${toolName}`.toLowerCase().includes(sought) ? 0 : undefined
}
