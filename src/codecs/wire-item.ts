import { isInstruction } from '../core/index.ts'
import type { Authority, Item, ItemKind, Role, Section, Trust } from '../core/index.ts'

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
