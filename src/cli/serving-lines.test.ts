import { expect, it } from 'vitest'
import { parseConfig } from '../gateway/index.ts'
import type { Serving } from './open-serving.ts'
import { servingLines } from './serving-lines.ts'

/** What is printed of the providers that are configured. */
function behind(...providers: readonly string[]): string | undefined {
  const serving: Serving = {
    url: 'http://127.0.0.1:8484',
    inspector: undefined,
    config: parseConfig({}),
    store: 'prehend.sqlite',
    providers,
    extensions: [],
    gateway: { metrics: async () => [] },
    warnings: [],
    reload: async () => undefined,
    close: async () => undefined,
  }
  return servingLines(serving).find((line) => line.includes('behind it'))
}

it('says which requests the providers get, also those of models that are not theirs', () => {
  expect(behind('openai')).toBe(
    '  behind it: openai, which gets its own models and other requests in its dialect; the rest are refused',
  )
  expect(behind('openai', 'anthropic')).toBe(
    '  behind it: openai, anthropic, of which each gets its own models and other requests in its dialect; the rest are refused',
  )
})
