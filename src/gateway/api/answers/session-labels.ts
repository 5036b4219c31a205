import type { z } from 'zod'
import { isSetupText, keepNewest, typedText } from '../../../core/index.ts'
import type { Item } from '../../../core/index.ts'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { labelsQuery } from '../routes/usage-routes.ts'
import type { sessionLabel } from '../schemas/usage.ts'

export type SessionLabel = Answered<z.output<typeof sessionLabel>>

type LabelStore = Pick<Store, 'read'>

/** Gives the labels of the newest sessions. */
export type ReadLabels = (tenant: string, limit: number, session?: string) => Promise<readonly SessionLabel[]>

/** Labels that are remembered. */
const mostKept = 5000
const longestWords = 90

/** Newest requests among which one that has ended is looked for. */
const mostOpen = 3

/** Agents ask for a title first, without tools: this many of the oldest requests are looked at. */
const mostBesides = 3

/** Reads the newest receipt of each session, and the oldest ones once: what a conversation began with stays the same. */
export function labelReader(store: LabelStore): ReadLabels {
  const kept = new Map<string, FoundLabel>()
  return async (tenant, limit, only) => {
    const labels: SessionLabel[] = []
    for (const { session } of await store.read('results').sessions(tenant, {
      limit,
      ...(only !== undefined && { session: only }),
    })) {
      const key = JSON.stringify([tenant, session])
      const { label, isFinal } = kept.get(key) ?? (await labelOf(store, tenant, session))
      kept.delete(key)
      if (isFinal) kept.set(key, { label, isFinal })
      labels.push({ ...label, ...(await newestOf(store, tenant, session)) })
    }
    keepNewest(kept, mostKept)
    return labels
  }
}

type Newest = Pick<SessionLabel, 'why' | 'simulated'>
type Beginning = Omit<SessionLabel, keyof Newest>

async function newestOf(store: LabelStore, tenant: string, session: string): Promise<Newest> {
  const newest = await store.read('receipts').list(tenant, { session, limit: mostOpen })
  const why = newest[0]?.why
  const ended = newest.find(({ result }) => result !== undefined)
  return { ...(why && { why }), simulated: ended?.result?.simulated === true }
}

interface FoundLabel {
  readonly label: Beginning
  /** Whether later requests cannot change it. */
  readonly isFinal: boolean
}

/** Of the first request that offers tools; of the oldest where none of the first few does. */
async function labelOf(store: LabelStore, tenant: string, session: string): Promise<FoundLabel> {
  const oldest = await store.read('receipts').list(tenant, { session, after: -1, limit: mostBesides })
  let first: Beginning | undefined
  const startedMs = oldest[0]?.createdMs ?? null
  for (const { requestId, model = null, client = null } of oldest) {
    const items = (await store.read('receipts').get(tenant, requestId, { request: false }))?.input?.items ?? []
    const label = { session, words: wordsOf(items), model, client, startedMs }
    if (items.some(({ kind }) => kind === 'tool-schema')) return { label, isFinal: true }
    first ??= label
  }
  return {
    label: first ?? { session, words: '', model: null, client: null, startedMs },
    isFinal: oldest.length === mostBesides,
  }
}

/** The first words that the user has typed: agents put blocks in tags, or an introduction, before them. */
export function wordsOf(items: readonly Item[]): string {
  const said = items.filter(({ role, kind, text }) => role === 'user' && kind === 'text' && text.trim() !== '')
  const found = said.find(({ text }) => !isSetupText(text))
  const words = oneLine(found === undefined ? (said[0]?.text ?? '') : typedText(found.text))
  return words.length <= longestWords ? words : `${words.slice(0, longestWords - 1).toWellFormed()}…`
}

function oneLine(text: string): string {
  return text
    .slice(0, 10 * longestWords)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export async function answerLabels(read: ReadLabels, { tenant, query }: Asked<typeof labelsQuery>) {
  return { data: [...(await read(tenant, query.limit, query.session))] }
}
