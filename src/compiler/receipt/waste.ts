import type { Item, ManifestDecision, PackEntry, WasteRecord } from '../../core/index.ts'
import { allNames } from '../quality/all-names.ts'

export interface WasteInput {
  /** In their order. */
  readonly items: readonly Item[]
  readonly entries: readonly PackEntry[]
  readonly decisions: readonly ManifestDecision[]
}

/** Most items that are named. */
const mostNamed = 20

/**
 * What of a conversation nothing has used since it was sent: results, evidence and memory that an answer of the model has followed,
 * and of which no later answer or call has a name that they were the first to say, or five words in a row, and whose handle nobody
 * has followed. What is used without a word of it counts as not used: it is a hint, and no proof.
 */
export function wasteOf({ items, entries, decisions }: WasteInput): WasteRecord {
  const shown = new Map(entries.map((entry) => [entry.itemId, entry]))
  const handles = new Map(decisions.map(({ itemId, handle }) => [itemId, handle]))
  const news = newNames(items, shown)
  const later = laterWords()
  let sentTokens = 0
  const unused: PackEntry[] = []
  for (const item of items.toReversed()) {
    const entry = shown.get(item.id)
    if (isOfModel(item)) later.add(item.text)
    if (entry === undefined || !isMaterial(item) || later.isEmpty()) continue
    sentTokens += entry.tokens
    if (later.has({ entry, names: news.get(item.id) ?? [], handle: handles.get(item.id) })) continue
    unused.push(entry)
  }
  const dearest = unused.toSorted((a, b) => b.tokens - a.tokens)
  return {
    sentTokens,
    unusedTokens: unused.reduce((sum, { tokens }) => sum + tokens, 0),
    unusedItems: unused.length,
    unusedIds: dearest.slice(0, mostNamed).map(({ itemId }) => itemId),
  }
}

const materials: ReadonlySet<string> = new Set(['tool-result', 'evidence', 'memory'])

function isMaterial({ kind }: Item): boolean {
  return materials.has(kind)
}

function isOfModel({ role, kind }: Item): boolean {
  return role === 'assistant' || kind === 'tool-call' || kind === 'reasoning'
}

/** The names that each item is the first to say. */
function newNames(
  items: readonly Item[],
  shown: ReadonlyMap<string, PackEntry>,
): ReadonlyMap<string, readonly string[]> {
  const seen = new Set<string>()
  const news = new Map<string, readonly string[]>()
  for (const item of items) {
    const fresh = allNames(shown.get(item.id)?.text ?? item.text).filter((name) => !seen.has(name))
    for (const name of fresh) seen.add(name)
    news.set(item.id, fresh)
  }
  return news
}

interface Asked {
  readonly entry: PackEntry
  readonly names: readonly string[]
  readonly handle: string | undefined
}

/** What the model has said after an item, while one goes back through the conversation. */
function laterWords() {
  const texts: string[] = []
  const names = new Set<string>()
  const runs = new Set<string>()
  return {
    isEmpty: (): boolean => texts.length === 0,
    add(text: string): void {
      texts.push(text)
      for (const name of allNames(text)) names.add(name)
      for (const run of wordRuns(text)) runs.add(run)
    },
    has({ entry, names: own, handle }: Asked): boolean {
      if (own.some((name) => names.has(name))) return true
      if (handle !== undefined && texts.some((text) => text.includes(handle))) return true
      for (const run of wordRuns(entry.text)) if (runs.has(run)) return true
      return false
    },
  }
}

const runLength = 5
const wordForm = /[\p{L}\p{N}]+/gu

/** Every five words in a row, in lower case. */
function* wordRuns(text: string): Generator<string> {
  const last: string[] = []
  for (const [word] of text.toLowerCase().matchAll(wordForm)) {
    last.push(word)
    if (last.length > runLength) last.shift()
    if (last.length === runLength) yield last.join(' ')
  }
}
