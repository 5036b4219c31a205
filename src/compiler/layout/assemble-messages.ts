import type { Form } from '../forms/form.ts'
import type { Assembly } from '../stages/assemble.ts'

/** A conversation keeps its structure: items are shown shorter, never moved. */
export const messagesAssembly: Assembly = {
  written: 'messages',
  frameTokens: () => 0,
  assemble({ forms }) {
    const shown = forms.filter((form): form is Form => form !== undefined)
    const tokens = shown.reduce((sum, form) => sum + form.tokens, 0)
    const history = shown.filter(({ entry }) => entry.section === 'history')
    return {
      entries: shown.map(({ entry }) => entry),
      shown,
      messages: [],
      pieces: [],
      tokens,
      frameTokens: 0,
      historyTokens: history.reduce((sum, form) => sum + form.tokens, 0),
      uris: [...new Set(shown.flatMap(({ uri }) => uri ?? []))],
    }
  },
}
