import { mediaAt } from '../../codecs/index.ts'
import { contentHasher, handleFrom } from '../../compiler/index.ts'
import type { Item, ToolCall, ToolResult } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import type { Original } from '../../stores/index.ts'
import { mediaTokens } from '../../tokens/index.ts'

/** What one result may take of the window. */
export interface Room {
  readonly roomTokens: number
  readonly maxChars: number
  /** Tokens of a text as the model counts. */
  count(text: string): number
}

/** Where what is not shown of a result stays. */
export interface ResultArchive {
  readonly handleKey: string
  /** Rejects where it cannot be kept. */
  keep(original: Original): Promise<void>
}

export interface ResultToBound {
  readonly call: ToolCall
  readonly result: ToolResult
  readonly room: Room
  /** Absent where the model could not ask for what is kept. */
  readonly archive: ResultArchive | undefined
}

/** What is aimed at; what comes of it is counted. Most texts have no more. */
const tokensPerChar = 2 / 7
/** More of a result is neither kept nor counted. */
const mostChars = 16_000_000
/** A longer text is counted by its beginning. */
const countedChars = 200_000

/** The result of a tool, no longer than the room: what is longer is shown by head, tail and failures, or cut. */
export async function withinRoom({ result: given, ...toBound }: ResultToBound): Promise<ToolResult> {
  const { call, room, archive } = toBound
  const result = withoutLargeMedia(given, call, room)
  const { text } = result
  const { roomTokens, maxChars, count } = room
  // No token has more characters than that many times the usual.
  if (text.length <= maxChars && (text.length <= roomTokens || count(text) <= roomTokens)) return result
  const item = itemOf(call, text.slice(0, mostChars).toWellFormed())
  const handle = archive && (await kept(archive, item))
  const mostTokens = Math.min(roomTokens, Math.floor(maxChars * tokensPerChar))
  const outlined = handle === undefined ? undefined : outline(item, { handle, mostTokens, count })
  if (outlined !== undefined && outlined.length <= maxChars) return { ...result, text: outlined }
  return { ...result, text: cut(call, text, { ...room, roomTokens: mostTokens, handle }) }
}

/** A picture cannot be shortened; words say that it is not here. */
function withoutLargeMedia(result: ToolResult, { name }: ToolCall, { roomTokens }: Room): ToolResult {
  const { media, ...rest } = result
  if (media === undefined) return result
  const found = mediaAt(media.url)
  const tokens = mediaTokens(found, { id: '', provider: 'other' })
  if (tokens <= roomTokens) return result
  const notice = `[the ${found.type} of ${name}'s answer takes some ${tokens} tokens, and the window has room for ${roomTokens}]`
  return { ...rest, text: `${result.text}\n${notice}` }
}

function itemOf({ id, name }: ToolCall, text: string): Item {
  return { id, section: 'history', kind: 'tool-result', role: 'tool', toolCallId: id, toolName: name, text }
}

const hashOf = contentHasher(sha256)

/** The handle under which all of it is kept; undefined where that failed. */
async function kept({ handleKey, keep }: ResultArchive, item: Item): Promise<string | undefined> {
  const handle = handleFrom(sha256, handleKey, hashOf(item))
  const { text, kind, toolName } = item
  try {
    await keep({ handle, text, kind, ...(toolName !== undefined && { toolName }) })
    return handle
  } catch {
    return undefined
  }
}

interface Outline {
  readonly handle: string
  readonly mostTokens: number
  count(text: string): number
}

/** Parts of the room that are tried in turn: failures are shown beside head and tail, and tokens are not even. */
const parts = [1, 0.85, 0.6, 0.35]

/** Undefined where nothing more than a line would be left. */
function outline(item: Item, { handle, mostTokens, count }: Outline): string | undefined {
  const tokensOf = (text: string): number =>
    text.length <= countedChars
      ? count(text)
      : Math.ceil((count(text.slice(0, countedChars)) * text.length) / countedChars)
  const tokens = tokensOf(item.text)
  const shares = parts.map((part) => (part * mostTokens) / tokens)
  const conversation = { outline: true, shares }
  const forms = ladderFor({ ...item, tokens }, { count: tokensOf, handle, conversation })
  return forms.find((form) => form.rung === 'trimmed' && form.tokens <= mostTokens)?.text
}

interface Cut extends Room {
  readonly handle: string | undefined
}

/** As much of the beginning as there is room for, and a line that says what is missing. */
function cut({ name }: ToolCall, text: string, { roomTokens, maxChars, count, handle }: Cut): string {
  const how =
    handle === undefined ? `ask ${name} for less` : `rehydrate("${handle}") shows others by "lines": a range or words`
  let chars = Math.min(maxChars, Math.floor(roomTokens / tokensPerChar))
  for (let tries = 0; tries < mostTries; tries += 1) {
    const tokens = count(text.slice(0, chars))
    if (tokens <= roomTokens) break
    chars = Math.floor((smaller * chars * roomTokens) / tokens)
  }
  const shown = text.slice(0, chars).toWellFormed()
  return `${shown}\n[the first ${shown.length} of ${text.length} characters of ${name}'s answer; ${how}]`
}

const mostTries = 4
const smaller = 0.95
