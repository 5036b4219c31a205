import { isJsonObject } from '../src/core/index.ts'
import type { Item } from '../src/core/index.ts'
import { stringsIn, usesOf } from '../src/inspect/index.ts'
import type { Needle, Trace, TraceMessage } from '../src/inspect/index.ts'
import { factsOf } from './history-measures.ts'
import type { Fact } from './retention-measures.ts'

/** What later steps of an agent use, and the names, numbers and paths that its user has said once or twice. */
export function agentFacts(trace: Trace): readonly Fact[] {
  const { ownStrings, edits } = usesOf(trace)
  const messages = new Map(trace.requests.flatMap((request) => request.messages.map((one) => [one.id, one] as const)))
  const lineFact = (kind: string, { text, sources }: Needle, neededAt: number): Fact => {
    const lines = sources.flatMap((id) => linesOf(messages.get(id))).filter((line) => line.includes(text))
    return { kind, sources, neededAt, isIn: (shown) => lines.some((line) => shown.includes(line)) }
  }
  return [
    ...entriesOf(trace.needles).map(([at, needle]) => lineFact('lines of results that a later step used', needle, at)),
    ...entriesOf(ownStrings).map(([at, needle]) => lineFact('lines of own calls that a later step used', needle, at)),
    ...entriesOf(edits).map(([at, { lines }]): Fact => {
      const place = ({ id }: TraceMessage): boolean => lines.some(({ sources }) => sources.includes(id))
      const sources = [...messages.values()].filter(place).map(({ id }) => id)
      const isIn = (shown: string): boolean => lines.every(({ text }) => shown.includes(text))
      const question = pathIn(trace.requests[at]?.answer)
      return { kind: 'edits: every line that they quote', sources, neededAt: at, ...(question && { question }), isIn }
    }),
    ...userFacts([...messages.values()]),
  ]
}

/** The file that a call names: whoever edits it knows that much. */
function pathIn(answer: TraceMessage | undefined): string | undefined {
  const calls = answer?.items.filter(({ kind }) => kind === 'tool-call') ?? []
  for (const { text } of calls) {
    const given = argumentsOf(text)
    const path = given['path'] ?? given['file_path']
    if (typeof path === 'string') return path
  }
  return undefined
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A name that comes again and again stands in any part of a conversation. */
const mostMessages = 2

function userFacts(messages: readonly TraceMessage[]): readonly Fact[] {
  const places = new Map<string, string[]>()
  for (const { id, items } of messages)
    for (const fact of factsOf(items.map(({ text }) => text).join('\n')))
      places.set(fact, [...(places.get(fact) ?? []), id])
  const users = messages.filter(({ role }) => role === 'user')
  const names = new Set(users.flatMap(({ items }) => items.flatMap(({ text }) => factsOf(text))))
  return [...names].flatMap((fact): readonly Fact[] => {
    const sources = places.get(fact) ?? []
    if (sources.length > mostMessages) return []
    const isIn = (shown: string): boolean => shown.toLowerCase().includes(fact)
    return [{ kind: 'names, numbers and paths of the user', sources, neededAt: Number.POSITIVE_INFINITY, isIn }]
  })
}

function linesOf(message: TraceMessage | undefined): readonly string[] {
  const read = ({ kind, text }: Item): string => (kind === 'tool-call' ? stringsIn(text) : text)
  return message?.items.flatMap((item) => read(item).split('\n')) ?? []
}

function entriesOf<Value>(uses: ReadonlyMap<number, readonly Value[]> | undefined): readonly [number, Value][] {
  return [...(uses ?? [])].flatMap(([at, all]) => all.map((one): [number, Value] => [at, one]))
}

/** A question about a conversation whose answer one of its turns gave. */
export interface MemoryQuestion {
  readonly question: string
  readonly answers: readonly string[]
  /** Turns of the user, from 0. */
  readonly source_turns: readonly number[]
}

/** The conversation of a user and an assistant who answers nothing that anybody asks about. */
export function chatTrace(id: string, turns: readonly string[]): Trace {
  const messages = turns.flatMap((text, at) => [
    said(userTurn(at), 'user', text),
    said(`a${at}`, 'assistant', 'Thank you, I will keep that in mind.'),
  ])
  const requests = turns.map((_, at) => {
    const answer = messages[2 * at + 1]
    return { messages: messages.slice(0, 2 * at + 1), atMs: at * 1000, ...(answer && { answer }) }
  })
  return { id, requests }
}

/** For each question the sentences of its turn that hold an answer, and the answer in any words of the conversation. */
export function memoryFacts(turns: readonly string[], questions: readonly MemoryQuestion[]): readonly Fact[] {
  return questions.flatMap(({ question, answers, source_turns: places }): readonly Fact[] => {
    const asked = { question, sources: places.map(userTurn), neededAt: Number.POSITIVE_INFINITY }
    const sentences = places
      .flatMap((at) => (turns[at] ?? '').split(/(?<=[.!?])\s+|\n+/))
      .filter((sentence) => answers.some((answer) => holds(sentence, answer)))
    if (sentences.length === 0) return []
    const isIn = (shown: string): boolean => sentences.some((sentence) => shown.includes(sentence))
    const isAnswered = (shown: string): boolean => answers.some((answer) => holds(shown, answer))
    return [
      { ...asked, kind: 'sentences that answer a question', isIn },
      { ...asked, kind: 'answers, in whatever sentence', isIn: isAnswered },
    ]
  })
}

const userTurn = (at: number): string => `u${at}`

/** As whole words, in any case. */
function holds(text: string, answer: string): boolean {
  const escaped = answer.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'i').test(text)
}

function said(id: string, role: 'user' | 'assistant', text: string): TraceMessage {
  return { id, role, items: [{ id: `${id}.0`, section: 'history', kind: 'text', role, text }] }
}
