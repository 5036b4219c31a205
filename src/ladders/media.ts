import type { Item, LadderContext, LadderMaker, Media, MediaWish, Rendition, SubstituteMethod } from '../core/index.ts'
import { shownAs } from '../core/index.ts'
import { fullRendition } from './full.ts'
import { madeDrafts } from './made-media.ts'
import type { MarkerForm } from './marker-grammar.ts'
import { writeMarker } from './marker-grammar.ts'
import { plainName } from './one-line.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'

/**
 * How a picture, a recording or a file may be shown: in full, as what says it in words, or as one line with what it is, its extent, what it cost, the call that
 * brought it, and the handle that brings it back. Whoever asks for it has found that it may go. What is nowhere to be had again has no line.
 */
export const mediaLadder: LadderMaker = (item, context) => {
  const full = fullRendition(item, context)
  if (!item.media?.url && item.media?.fingerprint === undefined) return [full]
  const { handle, step = 0, conversation } = context
  // Where nothing can be brought back, what the caller has said in its place may stand all the same, and no line that hides it.
  const made = context.media === undefined ? [] : madeOf(item, { full, context, wish: context.media })
  if (handle === '')
    return measured(full, [...made, ...substituteDrafts(item.media, plainHead(item.media), undefined)], context)
  const line = mediaLine(item, { tokens: full.tokens, step, handle, call: conversation?.called?.() })
  const substitutes = substituteDrafts(item.media, line, handle)
  return measured(
    full,
    [...made, ...substitutes, { rung: 'line', text: line, fidelity: 0.05, handle, expendable: true }],
    context,
  )
}

interface ToMake {
  readonly full: Rendition
  readonly context: LadderContext
  readonly wish: MediaWish
}

function madeOf(item: Item, { full, context, wish }: ToMake): readonly Draft[] {
  const { handle, conversation } = context
  const { type } = item.media ?? unknownMedia
  const told = { name: nameOf(item, conversation?.called?.()), extent: extentOf(item.media ?? unknownMedia), handle }
  const write = (form: MarkerForm, shape: string): string =>
    handle === '' ? `(${type}, ${told.extent}${shownAs}${shape})` : writeMarker(form, { ...told, shape })
  return madeDrafts({ item, context, wish, fullTokens: full.tokens, write })
}

/** What says it in words, below the line that says what it was; the truest first. */
function substituteDrafts({ substitutes = [] }: Media, line: string, handle: string | undefined): readonly Draft[] {
  return substitutes
    .toSorted((a, b) => b.fidelity - a.fidelity)
    .map(({ method, text, fidelity, confidence }) => {
      const sure = confidence === undefined ? '' : `, confidence ${confidence}`
      const told = `${line}\n${methodNames[method]}${sure}:\n${text}`
      const draft = { rung: 'summary', text: told, fidelity: Math.min(mostOfSubstitute, fidelity) } as const
      return handle === undefined ? draft : { ...draft, handle }
    })
}

function plainHead(media: Media): string {
  return `(${media.type}, ${extentOf(media)})`
}

/** Words are never all that was there. */
const mostOfSubstitute = 0.99

const methodNames: Readonly<Record<SubstituteMethod, string>> = {
  transcript: 'its transcript',
  ocr: 'its text, as read',
  caption: 'what it shows',
  aggregate: 'figures of it',
}

interface Told {
  readonly tokens: number
  readonly step: number
  readonly handle: string
  readonly call: string | undefined
}

const unknownMedia: Media = { type: 'image' }

function mediaLine(item: Item, { tokens, step, handle, call }: Told): string {
  const media = item.media ?? unknownMedia
  const isOfTool = item.role === 'tool' && step > 0
  const form: MarkerForm = isOfTool ? `${media.type}-step` : media.type
  return writeMarker(form, { name: nameOf(item, call), extent: extentOf(media), tokens, step, handle })
}

/** The tool and what it was asked, as far as one word tells it. */
function nameOf({ toolName, role }: Item, call: string | undefined): string {
  if (!toolName) return role === 'user' ? 'attached' : 'unnamed'
  const asked = call === undefined ? undefined : askedFor(call)
  return plainName(asked === undefined ? toolName : `${toolName}:${asked}`)
}

/** The arguments that say what was looked at or done, the most telling first. */
const telling = ['action', 'path', 'file_path', 'filename', 'url', 'command'] as const
const mostRead = 4_000
const longestAsked = 48

function askedFor(call: string): string | undefined {
  if (call.length > mostRead) return undefined
  const asked = parsed(call)
  const found = telling.map((name) => asked?.[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim().slice(0, longestAsked).toWellFormed() : undefined
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** `1280x800`, `63s`, `12-pages`; `unmeasured` where nothing is known of it. */
export function extentOf({ width, height, durationMs, pages }: Media): string {
  if (pages !== undefined) return `${whole(pages)}-pages`
  if (width !== undefined && height !== undefined) return `${whole(width)}x${whole(height)}`
  return durationMs === undefined ? 'unmeasured' : `${whole(durationMs / 1000)}s`
}

function whole(amount: number): number {
  return Math.min(999_999_999, Math.max(1, Math.round(amount)))
}
