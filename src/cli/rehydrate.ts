import { PrehendError, invalidInput } from '../core/index.ts'
import { rehydrateTool, searchedChars } from '../sessions/index.ts'
import { command } from './command.ts'
import { receiptOptions, sessionNamed } from './receipts.ts'
import { openStoreThere, storeOptions } from './store-place.ts'
import type { SessionQuery } from '../stores/index.ts'

export const rehydrateCommand = command({
  name: 'rehydrate',
  about: 'print the original behind a handle of a packed request, or what a session left out about a topic',
  positional: { name: 'HANDLE', about: 'as it stands in [brackets]', least: 0, most: 1 },
  options: {
    ...storeOptions,
    tenant: receiptOptions.tenant,
    lines: { type: 'text', about: 'only these, such as 57-90', placeholder: 'LINES' },
    about: {
      type: 'text',
      about: 'without a handle: the topic of the text that was left out',
      placeholder: 'TOPIC',
    },
    session: { type: 'text', about: 'of this session; any handle of the tenant is found without', placeholder: 'ID' },
    pattern: { type: 'text', about: 'only what stands around this text', placeholder: 'TEXT' },
  },
  examples: [
    'prehend rehydrate 482915037114',
    'prehend rehydrate 482915037114 --lines 57-90',
    'prehend rehydrate --about "retry policy" --session s1',
  ],
  async run({ options, positionals: [handle = ''], io }) {
    const { lines = '', pattern = '', about = '', session } = options
    requireAsked({ handle, about, session })
    const store = await openStoreThere(options, io)
    try {
      const owner = options.tenant ?? 'default'
      const sessions = (query: SessionQuery) => store.read('results').sessions(owner, query)
      if (session !== undefined) await sessionNamed({ sessions }, session)
      const scope = { tenant: owner, ...(session !== undefined && { session }) }
      const call = {
        id: '',
        name: rehydrateTool.definition.name,
        arguments: JSON.stringify({ handle, lines, pattern, about }),
      }
      const { text, found, fetched, media } = await rehydrateTool.answer(call, {
        original: (asked: string) => store.read('originals').get(scope, asked),
        originals: async (words) =>
          session === undefined
            ? []
            : store.read('originals').search({ tenant: owner, session }, words, { maxChars: searchedChars }),
        maxChars: Number.MAX_SAFE_INTEGER,
      })
      const what = handle === '' ? `original about ${about}` : `original under ${handle}`
      if (!found) throw notFound(what, 'Copy the handle as it stands, say other words, or name the --tenant')
      const told = handle === '' ? { about, text, fetched } : { handle, text, ...(media && { media }) }
      io.out(options.json === true ? `${JSON.stringify(told)}\n` : `${media ? `${text}\n${media.url}` : text}\n`)
    } finally {
      await store.close()
    }
  },
})

interface Asked {
  readonly handle: string
  readonly about: string
  readonly session: string | undefined
}

/** A topic is looked for in one session: what others have left out is nobody's business there. */
function requireAsked({ handle, about, session }: Asked): void {
  if (handle === '' && about === '')
    throw invalidInput('HANDLE', 'is missing', 'Give a handle, or --about with --session.')
  if (handle === '' && session === undefined)
    throw invalidInput('--session', 'is missing', 'Name the session whose archive is searched: prehend sessions.')
}

function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
