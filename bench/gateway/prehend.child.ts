// Our gateway with everything on: compile, receipts in SQLite, metrics.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepHeapLean, openGateway, parseConfig } from '../../src/gateway/index.ts'
import { memoryStore, sqliteStore, threadedSqliteStore } from '../../src/stores/index.ts'
import idleLayer from './idle-layer.ts'

keepHeapLean()
const [, , port, origin = '', mode = 'on', kind = 'thread', threads = '', layer = ''] = process.argv
const path = join(mkdtempSync(join(tmpdir(), 'prehend-bench-')), 'store.db')
const stores = { memory: memoryStore, sqlite: () => sqliteStore({ path }), thread: () => threadedSqliteStore({ path }) }
const store = await stores[kind as keyof typeof stores]()
const config = parseConfig({
  port: Number(port),
  mode,
  ...(threads !== '' && { threads: Number(threads) }),
  ...(layer === 'module' && { extensions: [fileURLToPath(new URL('idle-layer.ts', import.meta.url))] }),
  upstreams: { openai: { baseUrl: `${origin}/v1`, apiKey: 'bench' } },
})
await openGateway(config, { store, ...(layer === 'value' && { extensions: [idleLayer] }) })
console.log('ready')
process.on('SIGINT', () => process.exit())
process.on('SIGUSR2', () =>
  console.log(`rss ${Math.round(process.memoryUsage.rss() / 1e6)}, serving thread ${cpuMs()} ms`),
)

/** What the thread that serves has computed so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return Math.round((user + system) / 1000)
}
