import { readFileSync } from 'node:fs'
import { createCompiler } from '../src/compiler/index.ts'
import { careful } from '../src/compiler/index.ts'
import type { Item, Policy, SummaryMode } from '../src/core/index.ts'
import { sha256 } from '../src/host/index.ts'
import { tokenizerFor } from '../src/tokens/index.ts'
import { rareFacts, shareOf } from './history-measures.ts'
import { markdownTable } from './markdown-table.ts'
import { percentage } from './share-text.ts'

/*
 * What summaries of a conversation save and what they keep: recorded chats, meetings and talk with coding agents, brought to half of
 * their tokens and to a quarter. A fact is a name, a number or a path, said at most twice, in what is needed: of a chat the words that its labelled questions rest
 * on, of a meeting the spans of its questions, of an agent everything that its user has said. Kept are those that still stand in what is
 * shown of the turns that are no longer whole or of the newest. Beside the modes stand the newest turns alone, and old turns in the short
 * forms that they take without summaries. All summaries quote; what a model would write is not measured here. Then, of one endless
 * chat, what a pyramid shows at 100, 1,000 and 10,000 turns.
 *
 *   npm run -s bench -- history
 */

interface Talk {
  readonly items: readonly Item[]
  /** Ids of the items that are needed. */
  readonly needed: ReadonlySet<string>
}

const data = new URL('../../shared/data/', import.meta.url)
const tokenizer = tokenizerFor('gpt-5.1')

function records(file: string): readonly unknown[] {
  const lines = readFileSync(new URL(file, data), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as unknown)
}

function said(id: string, role: 'user' | 'assistant', text: string): Item {
  return { id, section: 'history', kind: 'text', role, text }
}

/** Who speaks first is the user; what one says in one go is one message. */
function talkOf(turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[]): Item[] {
  const [first] = turns
  return turns.map(({ id, speaker, text }) =>
    said(id, speaker === first?.speaker ? 'user' : 'assistant', `${speaker}: ${text}`),
  )
}

interface LabelledChat {
  readonly id: string
  readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[]
}

function chats(): readonly Talk[] {
  const questions = records('locomo/qa.dev.jsonl') as readonly {
    readonly conv: string
    readonly evidence: readonly string[]
  }[]
  return (records('locomo/conversations.dev.jsonl') as readonly LabelledChat[]).map(({ id, turns }) => ({
    items: talkOf(turns),
    needed: new Set(questions.filter(({ conv }) => conv === id).flatMap(({ evidence }) => evidence)),
  }))
}

interface Meeting {
  readonly turns: readonly { readonly speaker: string; readonly text: string }[]
  readonly queries: readonly { readonly spans: readonly (readonly [number, number])[] }[]
}

function meetings(): readonly Talk[] {
  return (records('qmsum/dev.jsonl') as readonly Meeting[]).map(({ turns, queries }) => {
    const isNeeded = (at: number): boolean => queries.some(({ spans }) => spans.some(([a, b]) => a <= at && at <= b))
    const items = talkOf(turns.map((turn, at) => ({ ...turn, id: String(at) })))
    return { items, needed: new Set(items.flatMap(({ id }, at) => (isNeeded(at) ? [id] : []))) }
  })
}

interface Recorded {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** What is said beside the calls. */
function agents(): readonly Talk[] {
  return (records('coding-sessions/pi_sessions.jsonl') as readonly Recorded[]).map(({ messages }) => {
    const items = messages.flatMap(({ role, content }, at): Item[] =>
      (role === 'user' || role === 'assistant') && typeof content === 'string' && content !== ''
        ? [said(String(at), role, content)]
        : [],
    )
    return { items, needed: new Set(items.filter(({ role }) => role === 'user').map(({ id }) => id)) }
  })
}

interface Measured {
  readonly fits: boolean
  readonly removed: number
  readonly kept: number
  readonly marked: number
}

const ways: readonly (readonly [string, Policy['summaries'] | undefined])[] = [
  ['short forms', undefined],
  ...(['checkpoint', 'pyramid', 'rolling', 'oneshot'] as const).map((mode: SummaryMode) => [mode, { mode }] as const),
  ['checkpoint, recentTurns 1000', { recentTurns: 1000 }],
]

function measured({ items, needed }: Talk, share: number, summaries: Policy['summaries'] | 'newest'): Measured {
  const tokens = items.reduce((sum, { text }) => sum + tokenizer.count(text), 0)
  const max = Math.floor(share * tokens)
  const shown = summaries === 'newest' ? newest(items, max) : packed(items, max, summaries)
  const text = shown.join('\n').toLowerCase()
  const facts = rareFacts(items, needed)
  const orders = items.flatMap(({ role, text: own }) =>
    role === 'user' ? (own.match(/[^.!?\n]*\b(?:must|never|always|don't|do not)\b[^.!?\n]*/gi) ?? []) : [],
  )
  return {
    fits: shown.length > 0,
    removed: 1 - shown.reduce((sum, one) => sum + tokenizer.count(one), 0) / tokens,
    kept: shareOf(facts, (fact) => text.includes(fact)),
    marked: shareOf(orders, (order) => text.includes(order.trim().toLowerCase())),
  }
}

function newest(items: readonly Item[], max: number): readonly string[] {
  const shown: string[] = []
  let left = max
  for (const { text } of items.toReversed()) {
    left -= tokenizer.count(text)
    if (left < 0) break
    shown.unshift(text)
  }
  return shown
}

function packed(items: readonly Item[], max: number, summaries: Policy['summaries']): readonly string[] {
  const policy: Policy = {
    ...careful,
    sections: [{ section: 'history', max }],
    ...(summaries && { summaries }),
  }
  const { pack } = createCompiler({ tokenizer, hash: sha256 }).compile({
    items,
    layout: 'messages',
    policy,
    budget: { windowTokens: 1_000_000 },
    rehydration: true,
  })
  return (pack?.entries ?? []).map(({ text }) => text)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

const sets = [
  { set: 'locomo', talks: chats() },
  { set: 'qmsum', talks: meetings().slice(0, 12) },
  { set: 'coding-sessions', talks: agents() },
]

console.log(
  markdownTable(
    sets.flatMap(({ set, talks }) =>
      [0.5, 0.25].flatMap((share) =>
        [['newest turns', 'newest'] as const, ...ways].map(([way, summaries]) => {
          const tried = talks.map((talk) => measured(talk, share, summaries))
          const all = tried.filter(({ fits }) => fits)
          return {
            'set': set,
            'most': percentage(share),
            'way': way,
            'fit': `${all.length} of ${tried.length}`,
            'removed': percentage(mean(all.map(({ removed }) => removed))),
            'facts that stand': percentage(mean(all.map(({ kept }) => kept))),
            'orders that stand': percentage(mean(all.map(({ marked }) => marked))),
          }
        }),
      ),
    ),
  ),
)

/** Chats of one set, one behind the other, until there are so many turns. */
function endless(turns: number): readonly Item[] {
  const items = chats().flatMap((talk, at) => talk.items.map((item) => ({ ...item, id: `${at}/${item.id}` })))
  return Array.from({ length: turns }, (_, turn): readonly Item[] => {
    const [a, b] = [items[(2 * turn) % items.length], items[(2 * turn + 1) % items.length]]
    return [said(`u${turn}`, 'user', `${turn}: ${a?.text}`), said(`a${turn}`, 'assistant', b?.text ?? '')]
  }).flat()
}

console.log(
  `\n${markdownTable(
    [100, 1000, 10_000].map((turns) => {
      const items = endless(turns)
      const frontier = (mode: SummaryMode) => packed(items, 6000, { mode, blockTurns: 10, foldBlocks: 5 })
      const summaries = frontier('pyramid').filter((text) => text.startsWith('<conversation_summary>'))
      return {
        'turns': String(turns),
        'tokens': String(items.reduce((sum, { text }) => sum + tokenizer.count(text), 0)),
        'summaries shown': String(summaries.length),
        'their tokens': String(summaries.reduce((sum, text) => sum + tokenizer.count(text), 0)),
      }
    }),
  )}`,
)
