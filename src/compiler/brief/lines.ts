import { lineValues } from '../../ladders/index.ts'
import type { BriefInput } from './brief.ts'
import type { GoneCall } from './gone-calls.ts'
import { harmless } from './harmless.ts'
import type { Room } from './room.ts'

/** Messages whose names say what is worked on. */
const newestMessages = 60
/** A line that a newest message names, in expected uses. */
const namedWorth = 0.5
const shortest = 8
const longest = 400
/** As many lines are looked at closely as may have room, and some more. */
const shareTried = 3

interface Candidate {
  readonly step: number
  readonly tool: string
  readonly at: number
  readonly line: string
  readonly worth: number
}

/** The lines of results that are worth most, by what they name; `shown` is what stands in the brief already. */
export function worthyLines(
  input: BriefInput,
  { calls, shown, room }: { readonly calls: readonly GoneCall[]; readonly shown: string; readonly room: Room },
): readonly string[] {
  if (room.left < 20) return []
  const known = knownLines(input, calls, shown)
  const best: Candidate[] = []
  for (const candidate of candidates(input, calls)) {
    const said = candidate.line.trim()
    if (said.length < shortest || said.length > longest || known.has(said)) continue
    known.add(said)
    best.push(candidate)
  }
  best.sort((a, b) => b.worth / cost(b) - a.worth / cost(a) || b.step - a.step || a.at - b.at)
  const taken: Candidate[] = []
  let estimate = 0
  for (const candidate of best) {
    if (estimate > room.left * shareTried || room.left < 8) break
    estimate += cost(candidate)
    if (room.take(`${candidate.line}\n`)) taken.push(candidate)
  }
  return grouped(taken)
}

/** About the tokens of a line. */
function cost({ line }: Candidate): number {
  return 3 + line.length / 4
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

function* candidates(input: BriefInput, calls: readonly GoneCall[]): Generator<Candidate> {
  const { facts, items, gone, hiddenTools = [] } = input
  const isGone = new Set(gone)
  const visible = new Set(items.flatMap((item, index) => (isGone.has(index) ? [] : facts.namesIn(facts.linesOf(item, item.text)))))
  const named = new Set(
    items.slice(-newestMessages).flatMap((item) => facts.namesIn(facts.linesOf(item, item.text))),
  )
  const newest = input.steps.at(-1) ?? 0
  const times = new Map<string, number>()
  for (const { call, result, isGone: isOut, step } of calls.toReversed()) {
    if (result === undefined || !isOut) continue
    const read = facts.ofText(result.text)
    const isFetched = hiddenTools.includes(call.toolName ?? '')
    const values = lineValues(result, read, { visible, age: newest - step })
    const { ids, starts, names } = read.names
    for (const [at, line] of read.text.lines.entries()) {
      let worth = (values[at] ?? 0) >= 1 ? 0 : (values[at] ?? 0)
      for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
        const name = names[ids[place] ?? 0] ?? ''
        if (!named.has(name)) continue
        const before = times.get(name) ?? 0
        times.set(name, before + 1)
        worth += namedWorth / (1 + before)
      }
      if (isFetched) worth += namedWorth
      if (worth > 0) yield { step, tool: call.toolName ?? 'tool', at, line, worth }
    }
    for (const name of read.names.names) visible.add(name)
  }
}
