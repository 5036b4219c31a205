import type { z } from 'zod'
import type { Item } from '../../../core/index.ts'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { labelsQuery } from '../routes/usage-routes.ts'
import type { sessionLabel } from '../schemas/usage.ts'

export type SessionLabel = Answered<z.output<typeof sessionLabel>>

type LabelStore = Pick<Store, 'receipts' | 'receipt' | 'sessions'>

/** Gives the labels of the newest sessions. */
export type ReadLabels = (tenant: string, limit: number) => Promise<readonly SessionLabel[]>

/** Labels that are remembered. */
const mostKept = 5000
const longestWords = 90

/** Reads the oldest receipt of each session, once: what a conversation began with stays the same. */
export function labelReader(store: LabelStore): ReadLabels {
  const kept = new Map<string, SessionLabel>()
  return async (tenant, limit) => {
    const labels: SessionLabel[] = []
    for (const { session } of await store.sessions(tenant, { limit })) {
      const key = JSON.stringify([tenant, session])
      const label = kept.get(key) ?? (await labelOf(store, tenant, session))
      kept.delete(key)
      kept.set(key, label)
      labels.push(label)
    }
    for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest)
    return labels
  }
}

async function labelOf(store: LabelStore, tenant: string, session: string): Promise<SessionLabel> {
  const [first] = await store.receipts(tenant, { session, after: -1, limit: 1 })
  const receipt = first && (await store.receipt(tenant, first.requestId, { request: false }))
  return { session, words: wordsOf(receipt?.input?.items ?? []), model: first?.model ?? null }
}

/** Agents put instructions in tags before what the user has typed. */
function wordsOf(items: readonly Item[]): string {
  const said = items.filter(({ role, kind }) => role === 'user' && kind === 'text').map(({ text }) => oneLine(text))
  const words = said.find((text) => text !== '' && !text.startsWith('<')) ?? said[0] ?? ''
  return words.length <= longestWords ? words : `${words.slice(0, longestWords - 1).toWellFormed()}…`
}

function oneLine(text: string): string {
  return text
    .slice(0, 10 * longestWords)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export async function answerLabels(read: ReadLabels, { tenant, query }: Asked<typeof labelsQuery>) {
  return { data: [...(await read(tenant, query.limit))] }
}
