import { readFileSync } from 'node:fs'
import type { CompileInput, Item } from '../src/core/index.ts'
import { isJsonObject } from '../src/core/index.ts'
import { readTrace } from '../src/inspect/index.ts'

/* What `utilisation` packs: recorded texts that ask for more than a window has. */

/** Requests of one session, in order; a payload is a session of one. */
export interface UtilisationCase {
  readonly requests: readonly Pick<CompileInput, 'items' | 'layout' | 'frame'>[]
  /** Ids of the items that the question is about, where somebody has said so. */
  readonly gold: ReadonlySet<string>
}

const data = new URL('../../shared/data/', import.meta.url)

function records(file: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(new URL(file, data), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as unknown).filter(isJsonObject)
}

interface Turn {
  readonly id: string
  readonly speaker: string
  readonly text: string
}

/** Meetings, one question to each: what was said is evidence, of which the question needs about a tenth. */
export function meetings(): readonly UtilisationCase[] {
  return records('qmsum/dev.jsonl').flatMap(({ id, turns, queries }) => {
    const [query] = queries as { readonly query: string; readonly spans: readonly (readonly [number, number])[] }[]
    if (query === undefined) return []
    const said = (turns as readonly Omit<Turn, 'id'>[]).map((turn, at) => ({ ...turn, id: `${String(id)}/${at}` }))
    const isGold = (at: number): boolean => query.spans.some(([first, last]) => first <= at && at <= last)
    return [
      asked(
        said,
        query.query,
        'evidence',
        said.filter((_, at) => isGold(at)),
      ),
    ]
  })
}

/** Long conversations, one question of each in turn: what was said is remembered. */
export function conversations(): readonly UtilisationCase[] {
  const questions = records('locomo/qa.dev.jsonl')
  return records('locomo/conversations.dev.jsonl').flatMap(({ id, turns }) => {
    const said = turns as readonly Turn[]
    const own = questions.filter(({ conv, category }) => conv === id && category !== 5)
    return own
      .filter((_, at) => at % 20 === 0)
      .map(({ question, evidence }) => {
        const gold = new Set(evidence as readonly string[])
        return asked(
          said,
          String(question),
          'memory',
          said.filter((turn) => gold.has(turn.id)),
        )
      })
  })
}

/** Requests of recorded agents, each with all tools of a catalogue. */
export function catalogues(): readonly UtilisationCase[] {
  const tools = records('mcp-catalogs/github_mcp_server.jsonl')
  const asking = records('mcp-traces/traces.dev.jsonl').flatMap(({ messages }) => {
    const said = messages as readonly { readonly role: string; readonly content: unknown }[]
    const first = said.find(({ role }) => role === 'user')?.content
    return typeof first === 'string' ? [first.slice(0, 4000)] : []
  })
  return asking.slice(0, 20).map((request) => {
    const wanted = wordsOf(request)
    const items = tools.map(({ name, description, inputSchema }): Item => {
      const text = JSON.stringify({ name, description, parameters: inputSchema })
      const shared = [...wordsOf(text)].filter((word) => wanted.has(word)).length
      const scores = { relevance: Math.min(1, shared / Math.max(1, wanted.size)) }
      return { id: String(name), section: 'tools', kind: 'tool-schema', toolName: String(name), text, scores }
    })
    return { requests: [{ items, layout: 'payload', frame: { request } }], gold: new Set<string>() }
  })
}

function asked(
  turns: readonly Turn[],
  question: string,
  section: 'evidence' | 'memory',
  gold: readonly Turn[],
): UtilisationCase {
  const wanted = wordsOf(question)
  const items = turns.map(({ id, speaker, text }): Item => {
    const shared = [...wordsOf(text)].filter((word) => wanted.has(word)).length
    return {
      id,
      section,
      kind: section,
      text: `${speaker}: ${text}`,
      provenance: { sourceId: id },
      scores: { relevance: shared / Math.max(1, wanted.size) },
    }
  })
  return {
    requests: [{ items, layout: 'payload', frame: { request: question } }],
    gold: new Set(gold.map(({ id }) => id)),
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu))
}

export function recorded(file: string): URL {
  return new URL(file, data)
}

/** Sessions of agents as they were sent, request by request. */
export async function sessions(file: URL, most: number): Promise<readonly UtilisationCase[]> {
  const cases: UtilisationCase[] = []
  for await (const { requests } of readTrace(file.pathname)) {
    if (cases.length >= most) break
    const own = requests.map(({ messages }) => ({
      items: messages.flatMap(({ items }) => items),
      layout: 'messages' as const,
    }))
    cases.push({ requests: own, gold: new Set() })
  }
  return cases
}
