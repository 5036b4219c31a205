import { isJsonObject, parseJson } from '../../core/index.ts'
import type { Original, Store } from '../../stores/index.ts'
import { findAbout } from './find-about.ts'
import type { HiddenTool } from './hidden-tool.ts'

export const searchHistoryToolName = 'search_history'

/** Items of the log that are ranked passage by passage. */
const mostItems = 60
const mostWords = 500

/**
 * Finds what was said earlier in a session, also what its client has dropped since, in the log of the session. It finds texts only
 * where content is recorded, and only in sessions that somebody has named: others may hold conversations of several people. Constant, so that it never moves a byte of a cached prefix.
 */
export function searchHistoryTool(store: Pick<Store, 'read'>): HiddenTool {
  return {
    definition: {
      name: searchHistoryToolName,
      description: 'Finds what was said and done earlier in this session, also what is no longer in this conversation.',
      schema: {
        type: 'object',
        properties: { words: { type: 'string', description: 'What to look for' } },
        required: ['words'],
      },
    },
    offer: ({ isNamed }) => isNamed,
    async answer(call, { scope, maxChars, isNamed }) {
      if (!isNamed) return { text: unnamed, found: false }
      const words = wordsIn(call.arguments)
      if (words === '')
        return { text: `Call ${searchHistoryToolName} with {"words": "…"}: what to look for.`, found: false }
      const found = await store.read('turns').search(scope, words, mostItems)
      const texts = found.map(({ turn, item: { text, kind, toolName, role } }): Original => {
        const by = toolName ?? role
        return { handle: `turn ${turn}`, text, kind, ...(by !== undefined && { toolName: by }) }
      })
      const about = findAbout(words, texts, maxChars)
      if (about) return { text: about.text, found: true }
      return {
        text: `Nothing that was said in this session is about ${JSON.stringify(words)}. Try other words.`,
        found: false,
      }
    },
  }
}

/** For a call in a session that offers no such tool: a model may make it up. */
const unnamed = 'This conversation has no log of its own: its client has not named the session.'

function wordsIn(json: string): string {
  const value = parseJson(json)
  const words = isJsonObject(value) ? value['words'] : undefined
  return typeof words === 'string' ? words.slice(0, mostWords).toWellFormed().trim() : ''
}
