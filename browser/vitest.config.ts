import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['browser/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // A browser, a gateway and a test take the machine between them.
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
