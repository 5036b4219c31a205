import { isJsonObject, rehydrateToolName } from '../../core/index.ts'
import type { ToolCall } from '../../core/index.ts'
import type { CallContext } from '../call-context.ts'
import type { Fetched, Original } from '../../stores/index.ts'
import { joinLines, originalLines, selectFrom } from '../../ladders/index.ts'
import type { SplitLines } from '../../ladders/index.ts'
import { findAbout } from './find-about.ts'
import { broughtBack } from './media-answer.ts'
import type { HiddenTool, ToolAnswer, ToolArchive } from './hidden-tool.ts'

/**
 * Brings back what a pack left out. Constant, so that it never moves a byte of a cached prefix; and short, since it stands in every request
 * that offers it: how lines are named the markers show, and what else `lines` takes an answer says that is too long to come whole.
 */
export const rehydrateTool: RehydrateTool = {
  definition: {
    name: rehydrateToolName,
    description: 'Shows text left out of this conversation. Step 3 is the third tool call.',
    schema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'From a [marker], or words to find' },
        lines: { type: 'string', description: 'Part of it: "10-40" or words' },
      },
      required: ['handle'],
    },
  },
  bringsBack: true,
  // What was left out is kept as layers have masked it.
  takesMasked: true,
  failureText: 'The original could not be read just now. Go on without it, or run the tool again.',
  answer: (call, archive) => answer(readArguments(call.arguments), archive),
}

/** It needs to know of its call what was left out, and what there is room for, and nothing else. */
interface RehydrateTool extends Omit<HiddenTool, 'answer'> {
  answer(call: ToolCall, archive: ToolArchive & Partial<Pick<CallContext, 'roomTokens'>>): Promise<ToolAnswer>
}

interface Asked {
  readonly handle: string
  readonly lines: string
  /** Words to find; models give them as lines, too. */
  readonly pattern: string
  /** What it is to be about: said so, or in the place of a handle in words that no handle has. */
  readonly about: string
}

async function answer(asked: Asked | undefined, archive: Parameters<RehydrateTool['answer']>[1]): Promise<ToolAnswer> {
  if (!asked) {
    const text =
      'Call rehydrate with {"handle": "…"}, a handle as it stands in [brackets] in this conversation, or a topic.'
    return { text, found: false }
  }
  const { maxChars } = archive
  const found = asked.handle === '' ? undefined : await archive.original(asked.handle)
  if (found?.kind === 'media')
    return { ...broughtBack(found, asked.handle, archive.roomTokens), fetched: [fetchedOf(found)] }
  if (found) return { text: askedPart(found, asked, maxChars), found: true, fetched: [fetchedOf(found)] }
  const topic = asked.about === '' && !looksLikeHandle(asked.handle) ? asked.handle : asked.about
  const about = topic === '' ? undefined : findAbout(topic, await archive.originals(topic), maxChars)
  if (about) return { text: about.text, found: true, fetched: about.originals.map(fetchedOf) }
  return { text: nothingFound(asked), found: false }
}

/** A handle has figures and no spaces, also one that is cut off or made up. */
function looksLikeHandle(text: string): boolean {
  return /^[\w-]*\d[\w-]*$/.test(text)
}

function nothingFound({ handle, about }: Asked): string {
  return about === ''
    ? `Nothing is kept under the handle "${handle}". Copy a handle from [brackets] in this conversation, or run the tool again.`
    : `Nothing that was left out of this conversation is about ${JSON.stringify(about)}. Try other words, or run the tool again.`
}

function fetchedOf({ handle, leftOut }: Original): Fetched {
  return { handle, ...(leftOut && { leftOut }) }
}

/** All of it as it was written; parts by the lines that its markers count, which may be those that strings of its JSON say. */
function askedPart({ text, kind }: Original, { lines, pattern }: Asked, maxChars: number): string {
  const words = pattern === '' ? lines : pattern
  if (words === '' && text.length <= maxChars) return text
  const split = originalLines({ text, kind })
  if (words === '') return opening(split, maxChars)
  return /^\d/.test(lines) && pattern === '' ? byLines(split, lines, maxChars) : byPattern(split, words, maxChars)
}

const inMarker = /"([\w-]{4,64})"/
const inAddress = /^prehend:\/\/sessions\/[^/]+\/originals\/([\w-]{4,64})$/

/** Lenient: models write a handle with its marker, numbers for strings, and empty strings for nothing. */
function readArguments(json: string): Asked | undefined {
  const value = parsed(json)
  if (!isJsonObject(value)) return undefined
  const { handle, lines, pattern, about } = value
  const named = typeof handle === 'string' ? handleIn(handle.trim()) : ''
  const topic = plain(about).slice(0, mostTopic).toWellFormed()
  if (named === '' && topic === '') return undefined
  return { handle: named.slice(0, 100), lines: plain(lines), pattern: plain(pattern), about: topic }
}

function handleIn(text: string): string {
  return (inMarker.exec(text) ?? inAddress.exec(text))?.[1] ?? text
}

/** Characters of a topic that are looked at. */
const mostTopic = 400

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

function byLines(split: SplitLines, lines: string, maxChars: number): string {
  const found = selectFrom(split, lines)
  if (found === undefined) return `Give lines as "first-last", from 1 to ${split.lines.length}.`
  if (found.length <= maxChars) return found
  const first = Number.parseInt(lines, 10)
  return cutAt(split, { first: first - 1, last: split.lines.length - 1 }, maxChars)
}

function opening(split: SplitLines, maxChars: number): string {
  return cutAt(split, { first: 0, last: split.lines.length - 1 }, maxChars)
}

interface LineRange {
  readonly first: number
  readonly last: number
}

/** As many lines from the first on as there is room for, and how to get the others. */
function cutAt(split: SplitLines, { first, last }: LineRange, maxChars: number): string {
  let end = first
  let size = 0
  while (end < last && size + (split.lines[end]?.length ?? 0) + 1 <= maxChars) {
    size += (split.lines[end]?.length ?? 0) + 1
    end += 1
  }
  const shown = `lines ${first + 1}-${Math.max(first + 1, end)} of ${split.lines.length}`
  return `[${shown}; ask for others with "lines": a range or words]\n${joinLines(split, first, Math.max(first, end - 1))}`
}

/** Lines around each hit that come back with it. */
const aroundLines = 40

function byPattern(split: SplitLines, pattern: string, maxChars: number): string {
  const hits = matchingLines(split.lines, pattern)
  const total = split.lines.length
  if (hits.length === 0)
    return `No line of ${total} has the text ${JSON.stringify(pattern)}. Leave the pattern out to see all of it.`
  const windows = around(hits, total)
  const shown: string[] = []
  let size = 0
  for (const { first, last } of windows) {
    const text = joinLines(split, first, last)
    if (shown.length > 0 && size + text.length > maxChars) break
    size += text.length
    const body = text.length > maxChars ? cutAt(split, { first, last }, maxChars) : text
    shown.push(`[lines ${first + 1}-${last + 1} of ${total}]\n${body}`)
  }
  const missing = windows.slice(shown.length).map(({ first, last }) => `${first + 1}-${last + 1}`)
  if (missing.length > 0) shown.push(`[also in lines ${missing.slice(0, 50).join(', ')}]`)
  return shown.join('\n')
}

/** Plain text, in any case, with `|` between alternatives: a pattern from a model must not cost more than one pass. */
function matchingLines(lines: readonly string[], pattern: string): number[] {
  const exact = matching(lines, [pattern.toLowerCase()])
  if (exact.length > 0) return exact
  const alternatives = pattern
    .toLowerCase()
    .split('|')
    .filter((part) => part !== '')
  return alternatives.length < 2 ? [] : matching(lines, alternatives.slice(0, 20))
}

function matching(lines: readonly string[], needles: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    const low = line.toLowerCase()
    return needles.some((needle) => low.includes(needle)) ? [index] : []
  })
}

function around(hits: readonly number[], total: number): LineRange[] {
  const windows: LineRange[] = []
  for (const hit of hits) {
    const first = Math.max(0, hit - aroundLines)
    const last = Math.min(total - 1, hit + aroundLines)
    const before = windows.at(-1)
    if (before && first <= before.last + 1) windows[windows.length - 1] = { first: before.first, last }
    else windows.push({ first, last })
  }
  return windows
}
