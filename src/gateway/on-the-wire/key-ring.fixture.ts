import { inProcessHot } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { authenticator } from '../http/authenticate.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { parseConfig } from '../index.ts'
import { makeKey } from '../keys/change-keys.ts'
import { knownKeys } from '../keys/known-keys.ts'

export interface KeyRingOptions {
  readonly store: Store
  readonly clock: () => number
  readonly keys: number
}

/** Who asks, by tokens and by keys, without a gateway around it. */
export interface TestKeyRing {
  readonly secrets: readonly string[]
  readonly byKeys: Authenticate
  byTokens(tokens: readonly string[]): Authenticate
  close(): void
}

export async function testKeyRing({ store, clock, keys: count }: KeyRingOptions): Promise<TestKeyRing> {
  const failed = (doing: string, error: unknown): never => {
    throw new Error(doing, { cause: error })
  }
  const keys = knownKeys({ store, hot: inProcessHot(), clock, limitMs: 1000, failed })
  const host = { store, clock, changed: async () => undefined }
  const tenantOf = (number: number): string => `tenant ${number % 50}`
  const secrets: string[] = []
  for (let number = 0; number < count; number += 1) {
    const given = { tenant: tenantOf(number), name: `key ${number}` }
    secrets.push((await makeKey(host, given, { actor: 'test', from: 'local' })).secret)
  }
  const configOf = (tokens: readonly string[]) =>
    parseConfig({ tokens: tokens.map((token, number) => ({ token, tenant: tenantOf(number) })) })
  const few = configOf(['token-number-one', 'token-number-two', 'token-number-three'])
  return {
    secrets,
    byKeys: authenticator(few, { keys, clock }),
    byTokens: (tokens) => authenticator(configOf(tokens)),
    close: () => keys.close(),
  }
}
