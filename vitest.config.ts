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

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'bench/**/*.test.ts',
      'clients/*.test.ts',
      'scripts/**/*.test.ts',
      'inspector/src/**/*.test.ts',
    ],
    environment: 'node',
    globals: false,
    // A process each: what ends one of them is told with the name of its file, and the others go on.
    pool: 'forks',
    maxWorkers: 2,
    // V8 loses count of its pages of machine code where threads that have stripped types come and go (nodejs/node#64500), and ends the process.
    execArgv: ['--no-memory-protection-keys'],
    provide: { propertySeeds },
    setupFiles: ['scripts/seed-properties.ts'],
    // Guards against a hang only; a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
