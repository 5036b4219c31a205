import { sha256 } from '../../host/index.ts'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import type { Receipt } from '../../stores/index.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

/** All receipts of the tenant, oldest first. */
export async function receiptsOf({ store }: TestGateway, tenant = 'default'): Promise<readonly Receipt[]> {
  const listed = await store.read('receipts').list(tenant, { limit: 20 })
  const whole = await Promise.all(listed.map(({ requestId }) => store.read('receipts').get(tenant, requestId)))
  return whole.flatMap((receipt) => receipt ?? []).toReversed()
}

/** The members in which a receipt does not prove what was sent. */
export function differences(receipt: Receipt): readonly string[] {
  const { input, manifest } = receipt
  if (!input) return ['input']
  const compile = (again: typeof input) => compileAgain(again, manifest)
  return verifyReceipt({ receipt, input, compile }).differences.map(({ field }) => field)
}

/** What a receipt says was sent. */
export function hashesOf({ packId, result }: Receipt): string[] {
  return [packId, ...(result?.rounds ?? []).map(({ hash }) => hash)]
}

/** What the provider was asked to answer, and not only to count. */
export function sentHashes({ provider }: TestGateway): string[] {
  return provider.requests.filter(({ path }) => !/count|input_tokens/i.test(path)).map(({ body }) => sha256(body))
}
