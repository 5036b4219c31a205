import { isInstruction } from '../core/index.ts'
import type { Authority, Item, ItemKind, Media, Role, Section, Trust } from '../core/index.ts'

/** Where in a request an item stands and who speaks there. */
export interface Speaker {
  readonly role: Role
  readonly turn: number
  readonly isQuery: boolean
}

export type ItemDetails = Pick<Item, 'group' | 'toolName' | 'toolCallId' | 'status' | 'tokens' | 'media' | 'frozen'> & {
  readonly id: string
  readonly kind: ItemKind
  readonly text: string
}

interface Standing {
  readonly section: Section
  readonly authority: Authority
  readonly trust: Trust
}

// System and developer are trusted, users half, tool output never. What the model wrote ranks with the user's words.
const standings: { readonly [Name in Role]: Standing } = {
  system: { section: 'policy', authority: 'system', trust: 'trusted' },
  developer: { section: 'role', authority: 'developer', trust: 'trusted' },
  user: { section: 'history', authority: 'user', trust: 'semi-trusted' },
  assistant: { section: 'history', authority: 'user', trust: 'semi-trusted' },
  tool: { section: 'history', authority: 'tool', trust: 'untrusted' },
}

/** An item as it stands on the wire, with section, authority and trust by the role that speaks. */
export function wireItem(speaker: Speaker, details: ItemDetails): Item {
  const role = details.kind === 'tool-result' ? 'tool' : speaker.role
  const { section, authority, trust } = standings[role]
  return {
    ...details,
    section: speaker.isQuery && role === 'user' ? 'query' : section,
    role,
    authority,
    trust,
    birthTurn: speaker.turn,
  }
}

/** A tool definition, as the JSON text of its element of `tools`. */
export function toolItem(details: ItemDetails): Item {
  return {
    ...details,
    section: 'tools',
    authority: 'developer',
    trust: 'trusted',
    birthTurn: 0,
  }
}

/** Text of this role instructs; other roles merely speak. */
export function textKind(role: Role): 'instruction' | 'text' {
  return isInstruction(role) ? 'instruction' : 'text'
}

/**
 * A picture, a recording or a file. It may be shown as words where it can be brought back: where its bytes or its URL are at hand, and it
 * is not what a model has made or instructions show.
 */
export function mediaItem(
  speaker: Speaker,
  details: Omit<ItemDetails, 'kind' | 'text'> & { readonly media: Media },
): Item {
  const { media, ...others } = details
  // What stands behind a URL is told by its kind alone, and most that stands there is pictures.
  const isAtHand = media.url === undefined ? hasBytes(media) : media.type === 'image'
  const mayChange = isAtHand && (speaker.role === 'user' || speaker.role === 'tool')
  return wireItem(speaker, { ...others, media, kind: 'media', text: '', ...(!mayChange && { frozen: true }) })
}

function hasBytes({ fingerprint, mimeType }: Media): boolean {
  return fingerprint !== undefined && mimeType !== undefined && mimeType !== ''
}
