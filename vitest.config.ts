import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Properties draw from one fixed seed, unless `scripts/fuzz.ts` or `scripts/properties.ts` say otherwise. */
const propertySeeds = { first: whole('PREHEND_SEED', 1), count: whole('PREHEND_SEEDS', 1) }

function whole(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is no whole number: ${process.env[name]}`)
  return value
}

process.stderr.write(
  `properties: seed ${propertySeeds.first}${propertySeeds.count > 1 ? ` and ${propertySeeds.count - 1} more` : ''}\n`,
)

/**
 * Types are stripped once for all the threads and processes that the tests start. Node strips them with WebAssembly, and where threads that have compiled
 * it come and go by the hundred V8 frees what it still writes to, and ends the process (nodejs/node#64500).
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/**
 * Tests that start no process and leave nothing behind: their files share a process, which loads each module once. What opens
 * databases, threads or servers of its own has a process to itself: a hundred files of them in one process hold gigabytes.
 */
const rooms =
  'core codecs compiler defense governor inspect integrations knowledge ladders providers sessions testing tokens tools'
const folders = 'access api app exchange jobs layers outlet seams telemetry upstream'
const sharing = [...rooms.split(' '), ...folders.split(' ').map((folder) => `gateway/${folder}`)].map(
  (room) => `src/${room}/**/*.test.ts`,
)
const allTests = [
  'src/**/*.test.ts',
  'bench/**/*.test.ts',
  'clients/*.test.ts',
  'scripts/**/*.test.ts',
  'inspector/src/**/*.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
      { extends: true, test: { name: 'alone', include: allTests, exclude: ['**/node_modules/**', ...sharing] } },
    ],
    environment: 'node',
    globals: false,
    // A process each: what ends one of them is told with the name of its file, and the others go on.
    pool: 'forks',
    maxWorkers: 2,
    // V8 also loses count of its pages of machine code there (the same report).
    execArgv: ['--no-memory-protection-keys'],
    provide: { propertySeeds },
    setupFiles: ['scripts/seed-properties.ts'],
    // Guards against a hang only; a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
