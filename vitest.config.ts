import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Properties draw from one fixed seed, and none runs more than a hundred times. `scripts/properties.ts`, the last part of
 * `npm run fuzz`, runs each as often as it asks for.
 */
const properties = {
  first: whole('PREHEND_SEED', 1),
  count: whole('PREHEND_SEEDS', 1),
  mostRuns: whole('PREHEND_PROPERTY_RUNS', 100),
}

function whole(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is no whole number: ${process.env[name]}`)
  return value
}

const seeds = `seed ${properties.first}${properties.count > 1 ? ` and ${properties.count - 1} more` : ''}`
process.stderr.write(`properties: ${seeds}, at most ${properties.mostRuns} runs each\n`)

/**
 * Types are stripped once for all the threads and processes that the tests start. Node strips them with WebAssembly, and where threads that have compiled
 * it come and go by the hundred V8 frees what it still writes to, and ends the process (nodejs/node#64500).
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/** Files that test what a process loads or starts, or start many threads (see above): each has a process to itself. */
const alone = [
  'scripts/**/*.test.ts',
  'src/gateway/vocabularies.test.ts',
  'src/gateway/on-the-wire/threads.test.ts',
  'src/gateway/on-the-wire/store-trouble.test.ts',
]
/**
 * All other files share a process, which loads each module once: with a process for each, starts and imports take half of the
 * time. The files that open databases and servers go into processes of their own, because memory grows by the file.
 */
const served = ['src/cli/**/*.test.ts', 'src/gateway/**/*.test.ts', 'src/stores/**/*.test.ts']
const nowhere = '**/node_modules/**'
const allTests = [
  'src/**/*.test.ts',
  'bench/**/*.test.ts',
  'clients/*.test.ts',
  'scripts/**/*.test.ts',
  'site/*/*.test.ts',
  'inspector/src/**/*.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'served', include: served, exclude: [nowhere, ...alone], isolate: false } },
      {
        extends: true,
        test: { name: 'other', include: allTests, exclude: [nowhere, ...alone, ...served], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    environment: 'node',
    globals: false,
    // A process each: what ends one of them is told with the name of its file, and the others go on.
    pool: 'forks',
    maxWorkers: 2,
    // V8 also loses count of its pages of machine code there (the same report).
    execArgv: ['--no-memory-protection-keys'],
    provide: { properties },
    setupFiles: ['scripts/before-tests.ts'],
    // Node imports the tests, as it imports the product: files are not transformed, and calls of imports cost nothing more.
    experimental: { viteModuleRunner: false },
    // Guards against a hang only; a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
