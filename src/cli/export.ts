import { existsSync } from 'node:fs'
import { PrehendError } from '../core/index.ts'
import { exportStore } from '../stores/index.ts'
import { command } from './command.ts'
import { extensionOptions, namedTables } from './command-extensions.ts'
import { withPortable, writePrivately } from './portable-file.ts'
import { progress } from './progress.ts'
import { storeName, storeOptions, storePlace } from './store-place.ts'
import { version } from './version.ts'

export const exportCommand = command({
  name: 'export',
  about: 'write a store to one file, which prehend import takes into any store',
  details: [
    'The file holds everything: sessions, prompts, answers, receipts, originals, keys (their hashes), the audit log, and the secret that handles are made with. Keep it as you keep the store. Only you may read it.',
    'A gateway may go on meanwhile: what is written is the store as it stood at one moment. A name that ends with .gz is compressed. Blobs are no part of the file: copy their folder or bucket.',
    'Lines of JSON: the first names the tenants and tables, the last has the SHA-256 of all others.',
  ],
  positional: { name: 'FILE', about: 'where to write; it must not be there', least: 1, most: 1 },
  options: {
    ...storeOptions,
    ...extensionOptions,
    tenant: { type: 'text', about: 'only data of this tenant', placeholder: 'TENANT', fallback: 'all' },
  },
  examples: ['prehend export backup.jsonl.gz', 'prehend export acme.jsonl --tenant acme'],
  async run({ options, positionals: [file = ''], io }) {
    const { tenant, json = false } = options
    const place = storePlace(options, io.environment)
    if (place.kind === 'file' && !existsSync(place.path)) throw noStore(place.path)
    const line = progress(io, json)
    const done = await withPortable({ place, tables: await namedTables(options) }, (store) =>
      writePrivately(file, (write) =>
        exportStore(store, { tenant, version: version(), write, told: (rows) => line.show(`${rows} rows written`) }),
      ),
    ).finally(() => line.end())
    const rows = Object.values(done.rows).reduce((sum, count) => sum + count, 0)
    if (json) io.out(`${JSON.stringify({ file, ...done })}\n`)
    else io.out(`${rows} rows of ${storeName(place)} are in ${file}. It holds secrets and prompts.\n`)
  },
})

function noStore(what: string): PrehendError<'not-found'> {
  const remedy = 'Name its folder with --data or its database with --store.'
  return new PrehendError('not-found', `There is no ${what}. ${remedy}`, { what, remedy })
}
