import type { Omission, Section } from '../../core/index.ts'
import { anyHandle, conversationNote, missingNote } from './omissions.ts'
import type { LeftOutOf } from './omissions.ts'
import { isLong, layOut } from './payload.ts'
import type { LayoutOptions, PackBlocks } from './payload.ts'
import type { Piece } from '../forms/piece.ts'
import { episodeTokens } from './xml-markup.ts'

/** What stands around the items of a pack. */
export interface Surroundings extends LayoutOptions {
  /** Sections besides the known ones that have a block of their own, empty or not. */
  readonly others: readonly Section[]
  /** What wrapping one message costs. */
  readonly messageTokens: number
  /** Whether tags may stand around episodes. */
  readonly episodes: boolean
  /** How each link between items may come to be told. */
  readonly links: readonly (readonly string[])[]
}

/** Tokens of the frame, at most: what must be kept free for it. */
export type FrameTokens = (frame: Surroundings, missing: PackBlocks['missing'], pointed: readonly Section[]) => number

/** From step to step of a session mostly the request changes, and how much is missing: the rest is laid out once. */
export function frameCounter(): FrameTokens {
  let last = { key: '', tokens: 0 }
  return (surroundings, missing, pointed) => {
    const { frame, markup, bounded, piece } = surroundings
    const omissions = pointed.map((section) => ({ section, items: 1_000, handle: anyHandle }))
    // The request has a block of its own, and a boundary is in no key.
    if (frame?.request === undefined || bounded !== undefined) return frameTokensOf(surroundings, missing, omissions)
    const { request, ...rest } = frame
    const about = { ...surroundings, frame: rest, markup: markup.name, isLong: isLong(missing.history) }
    const key = JSON.stringify([about, pointed, noteTokens(surroundings, { missing, omissions })])
    if (key !== last.key) {
      const tokens = frameTokensOf({ ...surroundings, frame: { ...frame, request: '' } }, missing, omissions)
      last = { key, tokens: tokens - piece(markup.verbatim('')).tokens }
    }
    return last.tokens + piece(markup.verbatim(request)).tokens
  }
}

/** Of everything that tells how much is missing. */
function noteTokens(surroundings: Surroundings, left: LeftOutOf): readonly number[] {
  const notes = [conversationNote(left), ...counted.map((section) => missingNote(left, section) ?? '')]
  return notes.map((note) => (note === '' ? 0 : lineTokens(surroundings, note)))
}

const counted = ['evidence', 'memory', 'history'] as const

/** Digits of a count may cost a token or two more than those of a larger one. */
const slackPerCount = 2
/** Digits of a handle may cost some tokens more than zeros do. */
const slackPerHandle = 6

/** Blocks that have items do without a line of their own. */
function frameTokensOf(frame: Surroundings, missing: PackBlocks['missing'], omissions: readonly Omission[]): number {
  const others = frame.others.map((section) => ({ section, pieces: [] }))
  const empty = { task: [], tools: [], evidence: [], situation: [], memory: [], history: [], query: [] }
  const system = { policy: [], role: [], durable: [] }
  const links = frame.links.map((lines) => longest(lines, frame))
  const laidOut = layOut({ ...system, ...empty, others, missing, omissions, links, account: [], summary: [] }, frame)
  const slack =
    3 * slackPerCount +
    (omissions.length + 2 * links.length) * slackPerHandle +
    (frame.episodes ? episodeTokens(frame.piece) : 0)
  return ownTokens(laidOut.system) + ownTokens(laidOut.payload) + 2 * frame.messageTokens + slack
}

function longest(lines: readonly string[], frame: Surroundings): string {
  const tokens = lines.map((line) => lineTokens(frame, line))
  return lines[tokens.indexOf(Math.max(...tokens))] ?? ''
}

export function lineTokens({ piece, markup }: Surroundings, line: string): number {
  return piece(markup.line(line)).tokens
}

/** Tokens of pieces that stand for no item. */
export function ownTokens(pieces: readonly Piece[]): number {
  let tokens = 0
  for (const piece of pieces) if (!('entry' in piece)) tokens += piece.tokens
  return tokens
}
