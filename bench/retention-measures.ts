import type { Briefing, Item, Manifest } from '../src/core/index.ts'
import { compactions, shownText } from '../src/inspect/index.ts'
import type { RenderedMessage, Strategy, Trace, TraceRequest } from '../src/inspect/index.ts'
import { originalsOf, rehydrateTool } from '../src/sessions/index.ts'
import type { Original } from '../src/stores/index.ts'

/** Something that the conversation says and that a later step, or a question at its end, needs. */
export interface Fact {
  readonly kind: string
  /** Messages that say it, in the order of the conversation. */
  readonly sources: readonly string[]
  /** Index of the request whose answer needs it. */
  readonly neededAt: number
  /** Words that somebody would ask for it with; absent where nobody has said any. */
  readonly question?: string
  isIn(text: string): boolean
}

/** Of so many facts, so many still stood word for word, and so many stood or came back with `rehydrate`. */
export interface Retained {
  readonly of: number
  readonly stands: number
  readonly withRehydration: number
}

/** What is retained of the facts of one kind. */
export interface KindRetained {
  /** After 1, 2, 3, 4 and more compactions of the message that said the fact last. */
  readonly byCompactions: readonly Retained[]
  /** In the briefing of a handoff, at the same moments. */
  readonly handoff: Retained
}

/** The last class takes four compactions and more. */
export const retentionClasses = ['1', '2', '3', '4+'] as const

export interface RetentionWork {
  readonly trace: Trace
  readonly facts: readonly Fact[]
  /** The strategy, which passes on each receipt. */
  strategy(packed: (manifest: Manifest) => void): Strategy
  readonly renderer: Parameters<Strategy['start']>[0]
  /** The briefing that a new session would begin with. */
  briefing(items: readonly Item[]): string
}

/**
 * Sends a session and looks at each compaction which of the facts that are still needed stand in the request, and which ones the model could bring back: by a
 * handle that the request shows or, where a fact has a question, by the words of it.
 */
export async function retention(work: RetentionWork): Promise<ReadonlyMap<string, KindRetained>> {
  const { trace, facts, renderer, briefing } = work
  const archive = archiveOfSession()
  const run = work.strategy((manifest) => archive.add(manifest)).start(renderer)
  const compacted = compactions()
  const counts = new Map(facts.map(({ kind }) => [kind, emptyCounts()]))
  for (const [index, request] of trace.requests.entries()) {
    archive.next(request)
    const sent = run.next(request)
    const before = compacted.count()
    compacted.look(run.brief?.())
    if (compacted.count() === before) continue
    const look = lookIn(archive, textOf(sent))
    const handedOver = lookIn(archive, briefing(itemsIn(request)))
    const known = new Set(request.messages.map(({ id }) => id))
    for (const fact of facts) {
      const newest = fact.sources.at(-1) ?? ''
      if (fact.neededAt < index || !known.has(newest)) continue
      const count = counts.get(fact.kind)
      if (count === undefined) continue
      await note(count.handoff, fact, handedOver)
      const times = compacted.goneThrough(newest)
      const at = count.byCompactions[Math.min(times, retentionClasses.length) - 1]
      if (at !== undefined) await note(at, fact, look)
    }
  }
  return counts
}

type Count = { -readonly [Name in keyof Retained]: Retained[Name] }

const none = (): Count => ({ of: 0, stands: 0, withRehydration: 0 })

function emptyCounts() {
  return { byCompactions: retentionClasses.map(none), handoff: none() }
}

interface Look {
  /** What the request shows. */
  readonly text: string
  /** What the handles in it bring back. */
  readonly behindHandles: string
  asked(question: string): Promise<string>
}

async function note(count: Count, fact: Fact, { text, behindHandles, asked }: Look): Promise<void> {
  const stands = fact.isIn(text)
  count.of += 1
  if (stands) count.stands += 1
  if (stands || fact.isIn(behindHandles) || (fact.question !== undefined && fact.isIn(await asked(fact.question))))
    count.withRehydration += 1
}

/** What the product keeps of a session: the originals of all that its requests have left out so far. */
function archiveOfSession() {
  const originals = new Map<string, Original>()
  let items: readonly Item[] = []
  return {
    next(request: TraceRequest): void {
      items = itemsIn(request)
    },
    add(manifest: Manifest): void {
      for (const original of originalsOf(items, manifest)) originals.set(original.handle, original)
    },
    behindHandlesIn: (text: string): string =>
      [...originals.values()].flatMap((one) => (text.includes(one.handle) ? [readable(one.text)] : [])).join('\n'),
    async asked(question: string): Promise<string> {
      const call = { id: '', name: '', arguments: JSON.stringify({ handle: question }) }
      const all = [...originals.values()]
      const session = { original: async () => undefined, originals: async () => all, maxChars: 24_000 }
      return (await rehydrateTool.answer(call, session)).text
    },
  }
}

function lookIn(archive: ReturnType<typeof archiveOfSession>, text: string): Look {
  return { text, behindHandles: archive.behindHandlesIn(text), asked: (question) => archive.asked(question) }
}

function itemsIn({ messages }: TraceRequest): readonly Item[] {
  return messages.flatMap((message) => message.items)
}

/** As a reader takes it: the strings of a call, not its JSON. */
export function textOf(sent: readonly RenderedMessage[]): string {
  return sent.map((message) => shownText(message).text).join('\n')
}

/** An original has calls as JSON; their strings are added, as a reader takes them. */
function readable(text: string): string {
  const unescaped = text.replaceAll(/\\(["\\/nt])/g, (_, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign)
  return unescaped === text ? text : `${text}\n${unescaped}`
}

/** What a briefing says, without its JSON. */
export function stringsOfBriefing({ objective, context, state, constraints, nextSteps }: Briefing): string {
  return [objective, ...context, ...state, ...constraints, ...nextSteps].join('\n')
}
