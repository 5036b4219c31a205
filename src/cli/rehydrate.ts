import { existsSync } from 'node:fs'
import { PrehendError } from '../core/index.ts'
import { rehydrateTool } from '../sessions/index.ts'
import { command } from './command.ts'
import { receiptOptions } from './receipts.ts'
import { openStore, storeFile } from './store-place.ts'

const { data, tenant } = receiptOptions

export const rehydrateCommand = command({
  name: 'rehydrate',
  about: 'bring back what a handle in a packed request stands for',
  positional: { name: 'HANDLE', about: 'as it stands in [brackets]', least: 1, most: 1 },
  options: {
    data,
    tenant,
    lines: { type: 'text', about: 'only these, such as 57-90', placeholder: 'LINES' },
    pattern: { type: 'text', about: 'only what stands around this text', placeholder: 'TEXT' },
  },
  examples: ['prehend rehydrate 482915037114', 'prehend rehydrate 482915037114 --lines 57-90'],
  async run({ options, positionals: [handle = ''], io }) {
    const { lines = '', pattern = '' } = options
    const path = storeFile(options.data, io.environment)
    if (!existsSync(path)) throw notFound(path, 'Name the folder with --data')
    const store = await openStore(path, io)
    try {
      const scope = { tenant: options.tenant ?? 'default' }
      const call = {
        id: '',
        name: rehydrateTool.definition.name,
        arguments: JSON.stringify({ handle, lines, pattern }),
      }
      const session = { original: (asked: string) => store.original(scope, asked), maxChars: Number.MAX_SAFE_INTEGER }
      const { text, found } = await rehydrateTool.answer(call, session)
      if (!found) throw notFound(`original under ${handle}`, 'Copy the handle as it stands, or name the --tenant')
      io.out(options.json === true ? `${JSON.stringify({ handle, text })}\n` : `${text}\n`)
    } finally {
      await store.close()
    }
  },
})

function notFound(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
