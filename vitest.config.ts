import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    globals: false,
    pool: 'threads',
    maxWorkers: 2,
    // Guards against a hang only; a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
