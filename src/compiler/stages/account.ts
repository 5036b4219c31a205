import type { Item } from '../../core/index.ts'
import { perObject } from '../../core/index.ts'

/** What of the conversation is not shown, oldest first, by its place in it; items that nobody changes any more. */
export interface CutItems {
  /** Of the conversation. */
  readonly length: number
  /** Undefined where an item is shown. */
  at(place: number): Item | undefined
}

export interface AccountInput {
  readonly cut: CutItems
  /** Whether a call of a tool may be among it. */
  readonly called: boolean
  /** What the account may take. */
  readonly tokens: number
  /** Tokens of one of its lines where it stands. */
  tokensOf(line: string): number
}

/**
 * What was cut from a conversation, in its own words and within some tokens: how it began, which tools were called, and what
 * was asked last. Results of tools are not quoted.
 */
export function accountOf({ cut, called, tokens, tokensOf }: AccountInput): readonly string[] {
  const chosen: Line[] = []
  let left = tokens
  for (const line of linesByWorth(cut, called)) {
    left -= tokensOf(line.text)
    if (left < 0) break
    chosen.push(line)
  }
  return chosen.toSorted((a, b) => a.place - b.place).map(({ text }) => text)
}

export interface AccountRoom {
  /** For the items; what no item owns is taken off. */
  readonly itemTokens: number
  /** What the items take in full, all of them and those that must stand. */
  readonly fullTokens: number
  readonly standingTokens: number
}

/** Below this nothing worth reading fits. */
const leastRoom = 24
const mostRoom = 200
/** Share of the room that an account may take. */
const roomShare = 0.02

/** Tokens that are kept for an account where a conversation may have to be cut. What must stand comes first. */
export function accountRoom({ itemTokens, fullTokens, standingTokens }: AccountRoom): number {
  if (fullTokens <= itemTokens) return 0
  const room = Math.floor(Math.min(mostRoom, itemTokens * roomShare, (itemTokens - standingTokens) / 2))
  return room < leastRoom ? 0 : room
}

interface Line {
  /** Where it stands among the others. */
  readonly place: number
  readonly text: string
}

const mostRequests = 6

/** The first request, the tools, and then the newest requests. Only these are read: much may have been cut. */
function linesByWorth(cut: CutItems, called: boolean): readonly Line[] {
  const first = nextAsked(cut, 0, 1)
  const calls = called ? callsOf(cut) : ''
  const newest: Line[] = []
  if (first !== undefined)
    for (let place = cut.length - 1; place > first.place && newest.length < mostRequests;) {
      const line = nextAsked(cut, place, -1)
      if (line === undefined || line.place <= first.place) break
      newest.push(line)
      place = line.place - 1
    }
  return [
    ...(first === undefined ? [] : [first]),
    ...(calls === '' ? [] : [{ place: cut.length, text: `called: ${calls}` }]),
    ...newest,
  ]
}

/** The first request that says anything, from a place on, going up or down. */
function nextAsked(cut: CutItems, from: number, step: 1 | -1): Line | undefined {
  for (let place = from; place >= 0 && place < cut.length; place += step) {
    const item = cut.at(place)
    const text = item?.role === 'user' && item.kind === 'text' ? askedIn(item) : ''
    if (text !== '') return { place, text: `asked: ${text}` }
  }
  return undefined
}

/** What a request says first; read once, since what is cut is most often what was cut before. */
const askedIn = perObject((item: Item) => excerpt(item.text))

/** Tools by name, how often each was called, in the order of their first calls. */
function callsOf(cut: CutItems): string {
  const counts = new Map<string, number>()
  for (let place = 0; place < cut.length; place += 1) {
    const { kind, toolName } = cut.at(place) ?? {}
    if (kind === 'tool-call' && toolName !== undefined) counts.set(toolName, (counts.get(toolName) ?? 0) + 1)
  }
  const named = Array.from(counts, ([name, count]) => (count === 1 ? oneLine(name) : `${oneLine(name)} (${count})`))
  return excerpt(named.join(', '))
}

const mostCharacters = 96

/** The beginning of the first line that says anything. */
function excerpt(text: string): string {
  const start = text.trimStart().slice(0, 4 * mostCharacters)
  const end = start.search(/[\n\r\u2028\u2029]/)
  const line = oneLine(end === -1 ? start : start.slice(0, end))
  if (line.length <= mostCharacters) return line
  const characters = Array.from(line)
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters).join('').trimEnd()}…`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/g, ' ').trim()
}
