import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { manualClock, simulatedProvider } from '../providers/index.ts'
import type { SimulatedRequest, ScriptEntry } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'

/** How many files the scripted agent reads, one a turn. */
export const filesRead = 20

export const task = 'Read all files and say how many there are.'
export const rules = 'You are an agent that reads files.'
export const finalAnswer = `Done: ${filesRead} files read.`

/** A file of the small repository that the agent reads: long, and like no other. */
export function fileText(path: string): string {
  return Array.from({ length: 200 }, (_, line) =>
    line % 60 === 30
      ? `export function revenueOf${line}(account${line}: string): number {`
      : `  // ${path}, line ${line}: nothing to see here`,
  ).join('\n')
}

/** Reads file after file; asks once for what it sees left out, should anything be. */
export function readsFiles({ json }: SimulatedRequest): ScriptEntry {
  const said = JSON.stringify(saidIn(json)) ?? ''
  const hasAsked = /"name":"rehydrate"/.test(said)
  const [, handle] = (hasAsked ? undefined : /rehydrate\(\\+"(\w+)/.exec(said)) ?? []
  if (handle !== undefined) return { text: 'Once more. ', toolCalls: [{ name: 'rehydrate', arguments: { handle } }] }
  const read = resultsIn(said) - (hasAsked ? 1 : 0)
  if (read === filesRead) return finalAnswer
  const path = `src/file-${read + 1}.ts`
  return { text: `File ${read + 1}. `, toolCalls: [{ name: 'read_file', arguments: { path } }] }
}

/** Of any dialect. */
function resultsIn(said: string): number {
  return said.match(/"tool_use_id":|"tool_call_id":|"type":"function_call_output"|"functionResponse":/g)?.length ?? 0
}

/** The conversation in a request of any dialect. */
function saidIn(json: JsonObject | undefined): JsonValue | undefined {
  return json?.['messages'] ?? json?.['input'] ?? json?.['contents']
}

export type FileWork = ReturnType<typeof fileWork>

/** What a caller would see of a call of `rehydrate`, or of what it was shown instead of a text. */
export const ours = /handle\W{1,8}\d|folded/

/** A provider with the scripted agent behind it, a clock that all share, and a store to look into. */
export function fileWork(script = readsFiles) {
  const clock = manualClock(Date.UTC(2026, 10, 22))
  const provider = simulatedProvider({ clock, script })
  const store = memoryStore()
  const paths: string[] = []
  return {
    provider,
    store,
    /** Files that the agent's tool was asked for, in order. */
    paths,
    options: { store, clock: () => clock.now(), policy: 'masked' as const },
    /** The agent's tool. Each fifth time it takes so long that the provider's cache has gone cold. */
    async read(path: string): Promise<string> {
      paths.push(path)
      await clock.advance(paths.length % 5 === 0 ? 3_600_000 : 5000)
      return fileText(path)
    },
  }
}

/** Messages of requests that an agent has sent, without markers for the cache, as texts. */
function messagesSent(requests: readonly SimulatedRequest[]): readonly (readonly string[])[] {
  return requests.map(({ json }) => {
    const messages = saidIn(json)
    return Array.isArray(messages) ? messages.map((message) => JSON.stringify(unmarked(message as JsonValue))) : []
  })
}

function unmarked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(unmarked)
  if (!isJsonObject(value)) return value
  const { cache_control: _, ...rest } = value
  return Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, unmarked(member)]))
}

/** How often a request did not begin with all of the one before it. */
function rewritesIn(requests: readonly SimulatedRequest[]): number {
  const sent = messagesSent(requests)
  return sent.slice(1).filter((now, index) => sent[index]?.some((message, at) => now[at] !== message)).length
}

/** What became of the requests of an agent, against those of the same agent without us. */
export async function comparison(work: FileWork, plain: FileWork) {
  const receipts = (await work.store.read('receipts').list('default', { limit: 100 })).toReversed()
  const epochs = new Set(receipts.map(({ epoch }) => epoch))
  const rewrites = rewritesIn(work.provider.requests)
  const last = ({ provider }: FileWork): number => provider.requests.at(-1)?.body.length ?? 0
  return {
    sameFiles: work.paths.length === filesRead && work.paths.join() === plain.paths.join(),
    lessThanHalf: last(work) < last(plain) / 2,
    rewritten: rewrites > 0,
    readFromCache: work.provider.requests.some(({ usage }) => (usage?.cacheReadTokens ?? 0) > 0),
    onlyWithEpochs: rewrites === epochs.size - 1,
    receipts: receipts.length,
    answered: receipts.filter(({ result }) => result?.status === 200 && result.usage !== undefined).length,
    rehydrations: receipts.reduce((sum, { result }) => sum + (result?.rehydrations ?? 0), 0),
    calls: work.provider.requests.length,
    plainCalls: plain.provider.requests.length,
  }
}

/** One hidden round, a receipt for each of the agent's own calls, and bytes that change with an epoch only. */
export const asExpected = {
  sameFiles: true,
  lessThanHalf: true,
  rewritten: true,
  readFromCache: true,
  onlyWithEpochs: true,
  receipts: filesRead + 1,
  answered: filesRead + 1,
  rehydrations: 1,
  calls: filesRead + 2,
  plainCalls: filesRead + 1,
}
