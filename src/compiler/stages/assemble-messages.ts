import type { Item, PackEntry } from '../../core/index.ts'
import { plainWriting } from '../forms/form.ts'
import type { Form } from '../forms/form.ts'
import type { Assembled, Assembly } from './assemble.ts'
import { slotOf } from '../forms/slot.ts'

/** A conversation keeps its structure: items are shown shorter, never moved. */
export const messagesAssembly: Assembly = {
  written: 'messages',
  frameTokens: () => 0,
  assemble: ({ forms }) => assembled(forms.filter(isShown), 0),
}

export interface PageNote {
  readonly note: Item
  readonly tokens: number
  /** Index of the candidate before which it stands. */
  readonly place: number
}

/** A page of a conversation: the same, with a word on which page it is. */
export function pageAssembly({ note, tokens, place }: PageNote): Assembly {
  return {
    ...messagesAssembly,
    assemble: ({ forms }) => {
      const [before, after] = [forms.slice(0, place), forms.slice(place)].map((part) => part.filter(isShown))
      return assembled([...(before ?? []), noteForm(note, tokens), ...(after ?? [])], tokens)
    },
  }
}

function isShown(form: Form | undefined): form is Form {
  return form !== undefined
}

function assembled(shown: readonly Form[], frameTokens: number): Assembled {
  const history = shown.filter(({ entry }) => entry.section === 'history')
  return {
    entries: shown.map(({ entry }) => entry),
    shown,
    messages: [],
    pieces: [],
    tokens: shown.reduce((sum, form) => sum + form.tokens, 0),
    frameTokens,
    historyTokens: history.reduce((sum, form) => sum + form.tokens, 0),
    uris: [...new Set(shown.flatMap(({ uri }) => uri ?? []))],
  }
}

function noteForm(note: Item, tokens: number): Form {
  const { id: itemId, section, text } = note
  const entry: PackEntry = { itemId, section, rung: 'full', text, tokens }
  return {
    writing: plainWriting.name,
    uri: undefined,
    rendition: { rung: 'full', text, tokens, fidelity: 1 },
    fragment: text,
    tokens,
    entry,
    slot: slotOf(note),
    message: undefined,
    digest: undefined,
    entryLine: undefined,
    memoryKey: undefined,
  }
}
