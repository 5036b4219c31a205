import { readTrace } from '../src/inspect/index.ts'
import type { Needle, Trace } from '../src/inspect/index.ts'
import type { Item } from '../src/core/index.ts'
import { ladderFor } from '../src/ladders/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { percentage } from './share-text.ts'

/*
 * What would still be seen if each result of a tool above a size were an artifact from the start: of the strings that a later step used, those
 * that stand in what is shown. Shown is a line with the URI, or the shortest extract of the result beside it. Fifteen sessions of each set.
 *
 *   npm run -s bench -- inline-results
 */

const sets = [
  ['swe-traces', 'swe-traces/deepseek_chat_dev'],
  ['coding-sessions', 'coding-sessions/pi_sessions'],
] as const
const sizes = [1000, 2000, 4000]
const mostSessions = 15
const { count } = memoCounter(encodingTokenizer('o200k_base'))
const handle = '482915037114'

interface Shown {
  readonly full: string
  readonly tokens: number
  readonly extract: { readonly text: string; readonly tokens: number }
  readonly line: { readonly text: string; readonly tokens: number }
}

function shownOf(item: Item): Shown {
  const ladder = ladderFor(item, { count, handle, step: 1 })
  const full = { text: item.text, tokens: count(item.text) }
  const last = (rung: string) => ladder.findLast((rendition) => rendition.rung === rung) ?? full
  return { full: full.text, tokens: full.tokens, extract: last('trimmed'), line: last('line') }
}

interface Session {
  readonly needles: readonly Needle[]
  /** By message. */
  readonly results: ReadonlyMap<string, readonly Shown[]>
}

function sessionOf(trace: Trace): Session {
  const messages = trace.requests.at(-1)?.messages ?? []
  const results = messages.map(({ id, items }) => {
    return [id, items.filter(({ kind }) => kind === 'tool-result').map(shownOf)] as const
  })
  return { needles: [...(trace.needles?.values() ?? [])].flat(), results: new Map(results) }
}

async function sessionsOf(name: string): Promise<readonly Session[]> {
  const found: Session[] = []
  for await (const trace of readTrace(new URL(`../../shared/data/${name}.jsonl`, import.meta.url).pathname)) {
    found.push(sessionOf(trace))
    if (found.length === mostSessions) break
  }
  return found
}

function rowOf(set: string, sessions: readonly Session[], size: number): Readonly<Record<string, string>> {
  const all = sessions.flatMap(({ results }) => [...results.values()].flat())
  const seen = (form: 'line' | 'extract'): number =>
    sessions.reduce(
      (sum, { needles, results }) =>
        sum +
        needles.filter(({ text, sources }) =>
          sources
            .flatMap((id) => results.get(id) ?? [])
            .some((one) => (one.tokens > size ? one[form].text : one.full).includes(text)),
        ).length,
      0,
    )
  const needles = sessions.reduce((sum, { needles: own }) => sum + own.length, 0)
  const tokens = all.reduce((sum, one) => sum + one.tokens, 0)
  const large = all.filter((one) => one.tokens > size)
  const shown = (form: 'line' | 'extract'): number =>
    all.reduce((sum, one) => sum + (one.tokens > size ? Math.min(one.tokens, one[form].tokens) : one.tokens), 0)
  return {
    set,
    'above': String(size),
    'results': `${large.length} of ${all.length}`,
    'needles': String(needles),
    'URI: seen': percentage(seen('line') / needles),
    'URI: tokens': percentage(shown('line') / tokens),
    'extract: seen': percentage(seen('extract') / needles),
    'extract: tokens': percentage(shown('extract') / tokens),
  }
}

const rows: Readonly<Record<string, string>>[] = []
for (const [set, name] of sets) {
  const sessions = await sessionsOf(name)
  for (const size of sizes) rows.push(rowOf(set, sessions, size))
}
console.log(markdownTable(rows))
