import { importStore } from '../stores/index.ts'
import { command } from './command.ts'
import { extensionOptions, namedTables } from './command-extensions.ts'
import { bytesOf, withPortable } from './portable-file.ts'
import { progress } from './progress.ts'
import { storeName, storeOptions, storePlace } from './store-place.ts'

export const importCommand = command({
  name: 'import',
  about: 'take a file of prehend export into a store',
  details: [
    'The file is checked to its end before anything is written, and all of it becomes visible at once. An import that was interrupted has done nothing: run it again.',
    'Refused where data of one of its tenants is there. The store may be one that other tenants use. Its own settings and the secret of its handles stay, unless it is empty: then it takes those of the file.',
    'Stop gateways that write to the store: they would wait until the import has ended.',
  ],
  positional: { name: 'FILE', about: 'what prehend export has written', least: 1, most: 1 },
  options: { ...storeOptions, ...extensionOptions },
  examples: [
    'prehend import backup.jsonl.gz --store postgres://127.0.0.1/prehend',
    'prehend import acme.jsonl --data DIR',
  ],
  async run({ options, positionals: [file = ''], io }) {
    const { json = false } = options
    const place = storePlace(options, io.environment)
    const line = progress(io, json)
    const told = (doing: string, rows: number): void => line.show(`${rows} rows ${doing}`)
    const done = await withPortable({ place, tables: await namedTables(options) }, (store) =>
      importStore(store, bytesOf(file), { told }),
    ).finally(() => line.end())
    const rows = Object.values(done.rows).reduce((sum, count) => sum + count, 0)
    if (json) io.out(`${JSON.stringify({ store: storeName(place), ...done })}\n`)
    else io.out(`${rows} rows of ${file} are in ${storeName(place)}.\n`)
  },
})
