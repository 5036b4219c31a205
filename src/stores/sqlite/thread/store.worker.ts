// The thread of a store: it alone opens the database, and serves everyone who has a port to it.
import { parentPort, workerData } from 'node:worker_threads'
import { collectAtRest } from '../../../host/index.ts'
import { tablesOfModules } from '../../rows/extension-tables.ts'
import { tableSet } from '../../rows/table-set.ts'
import { openDatabase } from '../open-database.ts'
import type { StoreThreadStart } from '../sqlite-options.ts'
import { fileWatch, replacedError, withFileWatch } from '../replaced-file.ts'
import { sqliteCore } from '../sqlite-core.ts'
import { usualPatience } from '../transactions.ts'
import type { ThreadNews, ThreadOrder } from './messages.ts'
import { servePort } from '../../ports/serve-port.ts'

function tell(news: ThreadNews): void {
  parentPort?.postMessage(news)
}

async function serve({ modules = [], ...options }: StoreThreadStart): Promise<void> {
  const tables = tableSet(await tablesOfModules(modules))
  const { db, tightened } = openDatabase(options, tables)
  const file = fileWatch(options.path)
  let isLeaving = false
  const core = withFileWatch(
    sqliteCore(db, { tables, patience: usualPatience, whenBusy: () => tell({ kind: 'busy' }) }),
    file,
    () => {
      if (!isLeaving) {
        isLeaving = true
        file.removeOwnLog()
        tell({ kind: 'replaced' })
        // Whoever has a port forgets what it remembers of the old file; the next thread opens the new one.
        setImmediate(() => process.exit())
      }
      throw replacedError()
    },
  )
  parentPort?.on('message', (order: ThreadOrder) => {
    if (order.kind === 'serve') return servePort(core, order.port)
    db.close()
    process.exit()
  })
  tell({ kind: 'open', tightened })
}

collectAtRest()
try {
  await serve(workerData as StoreThreadStart)
} catch (error) {
  tell({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) })
}
