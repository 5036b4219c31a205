// The command from a checkout: as installed, with the inspector's page built where the command serves it.
// usage: node scripts/run.ts COMMAND [ARGUMENTS…]
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Types are taken from a thousand files only once, which halves the start of every command; where the folder cannot be written, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

const serves = ['start', 'serve', 'wrap']

if (serves.includes(process.argv[2] ?? '')) {
  const { keepInspectorBuilt } = await import('./build-inspector.ts')
  await keepInspectorBuilt()
}
await import('../src/cli/main.ts')
