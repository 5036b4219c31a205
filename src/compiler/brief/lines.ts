import type { Item } from '../../core/index.ts'
import { lineValues } from '../../ladders/index.ts'
import type { BriefInput } from './brief-input.ts'
import type { FileWork } from './file-work.ts'
import { toolOf } from './gone-calls.ts'
import type { GoneCall } from './gone-calls.ts'
import { harmless } from './harmless.ts'
import type { Room } from './room.ts'

/** Messages whose names say what is worked on. */
const newestMessages = 60
/** A line that a newest message names, in expected uses. */
const namedWorth = 0.5
/** In expected uses. */
const leastWorth = 0.002
const shortest = 8
const longest = 400
/** Characters of the lines that are counted, for each token that is left: three times as many as usually have room. */
const triedPerToken = 12

interface Candidate {
  readonly step: number
  readonly tool: string
  readonly at: number
  readonly line: string
  readonly worth: number
}

interface Given {
  readonly calls: readonly GoneCall[]
  readonly works: readonly FileWork[]
  /** What stands in the brief already. */
  readonly shown: string
  readonly room: Room
}

/** The lines of results, and of what was written, that are worth most, by what they name. */
export function worthyLines(input: BriefInput, given: Given): readonly string[] {
  const { calls, shown, room } = given
  if (room.left < 20) return []
  const known = knownLines(input, calls, shown)
  const best: Candidate[] = []
  for (const candidate of candidates(input, given)) {
    const said = candidate.line.trim()
    if (said.length < shortest || said.length > longest || known.has(said)) continue
    known.add(said)
    best.push(candidate)
  }
  best.sort((a, b) => b.worth / cost(b) - a.worth / cost(a) || b.step - a.step || a.at - b.at)
  const taken: Candidate[] = []
  let estimate = 0
  for (const candidate of best) {
    if (estimate > room.left * triedPerToken || room.left < 8) break
    estimate += cost(candidate)
    if (room.take(candidate.line)) taken.push(candidate)
  }
  return grouped(taken)
}

/** In characters, with those of a break and of what stands around. */
function cost({ line }: Candidate): number {
  return 12 + line.length
}

function grouped(taken: readonly Candidate[]): readonly string[] {
  const lines: string[] = []
  let step = -1
  for (const candidate of taken.toSorted((a, b) => a.step - b.step || a.at - b.at)) {
    if (candidate.step !== step) lines.push(`[step ${candidate.step} ${candidate.tool}]`)
    ;({ step } = candidate)
    lines.push(harmless(candidate.line))
  }
  return lines
}

/** Lines that stand elsewhere, and lines that edits have replaced. */
function knownLines({ items, gone, facts }: BriefInput, calls: readonly GoneCall[], shown: string): Set<string> {
  const known = new Set(shown.split('\n').map((line) => line.trim()))
  const isGone = new Set(gone)
  items.forEach((item, index) => {
    if (isGone.has(index)) return
    for (const line of facts.eachLineOf(item, item.text)) known.add(line.trim())
  })
  for (const { call } of calls) {
    for (const act of facts.actsOf(call.text))
      if (act.kind === 'edit') for (const line of act.old.split('\n')) known.add(line.trim())
  }
  return known
}

function* candidates(input: BriefInput, { calls, works }: Given): Generator<Candidate> {
  const { facts, items, gone } = input
  const isGone = new Set(gone)
  const namesOf = (item: Item): readonly string[] => facts.namesIn(facts.linesOf(item, item.text))
  const visible = new Set(items.flatMap((item, index) => (isGone.has(index) ? [] : namesOf(item))))
  const named = new Set(items.slice(-newestMessages).flatMap(namesOf))
  const newest = input.steps.at(-1) ?? 0
  const standing = standingLines(works)
  const times = new Map<string, number>()
  for (const past of calls.toReversed()) {
    const said = past.isGone ? saidBy(past, input) : undefined
    if (said === undefined) continue
    const stands = standing(said.paths)
    const read = facts.ofText(said.text)
    const values = lineValues(said.item, read, { visible, age: newest - past.step })
    const { ids, starts, names } = read.names
    for (const [at, line] of read.text.lines.entries()) {
      const value = values[at] ?? 0
      // Failures stand in the log.
      if (value >= 1) continue
      let worth = value + (said.isFetched ? namedWorth : 0)
      for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
        const name = names[ids[place] ?? 0] ?? ''
        if (!named.has(name)) continue
        const before = times.get(name) ?? 0
        times.set(name, before + 1)
        worth += namedWorth / (1 + before)
      }
      if (worth > leastWorth && stands(line)) yield { step: past.step, tool: toolOf(past.call), at, line, worth }
    }
    for (const name of read.names.names) visible.add(name)
  }
}

interface Said {
  readonly item: Item
  readonly text: string
  readonly paths: readonly string[]
  readonly isFetched: boolean
}

/** What a call has written into files, or else what came back: what tools say of a change repeats the call. */
function saidBy({ call, result }: GoneCall, { facts, hiddenTools = [] }: BriefInput): Said | undefined {
  const acts = facts.actsOf(call.text)
  const paths = acts.flatMap(({ path }) => path ?? [])
  const written = acts.flatMap((act) => ('text' in act ? [act.text] : []))
  if (written.length > 0) return { item: call, text: written.join('\n'), paths, isFetched: false }
  const isChange =
    acts.some(({ kind }) => kind !== 'read') && acts.every(({ kind }) => kind !== 'touch' && kind !== 'run')
  if (result === undefined || isChange) return undefined
  return { item: result, text: result.text, paths, isFetched: hiddenTools.includes(call.toolName ?? '') }
}

/** Whether lines still stand in the files that a call names; any line does where nothing is known of them. */
function standingLines(works: readonly FileWork[]): (paths: readonly string[]) => (line: string) => boolean {
  const known = new Map<FileWork, ReadonlySet<string>>()
  const linesOf = (work: FileWork): ReadonlySet<string> => {
    const lines = known.get(work) ?? new Set(work.model.runs.flatMap(({ rows }) => rows.map(({ text }) => text)))
    known.set(work, lines)
    return lines
  }
  return (paths) => {
    const shown = works.filter(({ path, model }) => model.seen > 0 && paths.some((one) => isSame(path, one)))
    return (line) =>
      shown.length === 0 ||
      shown.some((work) => linesOf(work).has(line.replace(numbered, '')) || linesOf(work).has(line))
  }
}

const numbered = /^\s*\d{1,6}(?:\t|→|[:-] ?)/

function isSame(path: string, named: string): boolean {
  const plain = named.replace(/^\.\//, '')
  return path === plain || path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`)
}
