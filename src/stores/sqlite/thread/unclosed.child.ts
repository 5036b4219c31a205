// Writes to the store at argv[2] and does not close it.
import { threadedSqliteStore } from './threaded-sqlite-store.ts'

const store = await threadedSqliteStore({ path: process.argv[2] ?? '' })
await store.commit({
  scope: { tenant: 'acme', session: 's1' },
  nowMs: 1,
  writes: [{ table: 'sessions', offeredTools: ['rehydrate'] }],
})
process.stdout.write('written\n')
