import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import { sqliteStore } from '../../stores/index.ts'
import type { Receipt } from '../../stores/index.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-earlier-'))
afterEach(closeTestGateways)
afterAll(() => rmSync(folder, { recursive: true }))

/** Stores that earlier versions have written, by their schema; that of 5 holds no content. */
const released = [1, 5, 7]

describe.each(released)('receipts of a store of schema %i', (schema) => {
  it('are proven, or said not to be provable and why; their pages open', async () => {
    const path = join(folder, `${schema}.db`)
    const packed = readFileSync(new URL(`../../stores/fixtures/schema-${schema}.sqlite.gz`, import.meta.url))
    writeFileSync(path, gunzipSync(packed))
    const store = sqliteStore({ path })
    const gateway = await testGateway({ store })
    const rows = await store.read('receipts').list('default', { limit: 100 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { requestId } of rows) {
      const url = `${gateway.url}/v1/packs/${requestId}`
      const response = await fetch(`${url}/verify`, { method: 'POST' })
      const said = (await response.json()) as { verified: boolean; notProvable: string | null; differences: unknown[] }
      if (schema === 5) {
        expect(response.status).toBe(404)
        continue
      }
      expect([requestId, response.status]).toEqual([requestId, 200])
      if (!said.verified) expect(said.notProvable).toMatch(/^Another version of Prehend made this request: .+\.$/)
      expect(said.differences).toEqual([])
      const bytes = await fetch(`${url}/bytes`)
      expect([requestId, bytes.status]).toEqual([requestId, 200])
      expect([requestId, (await fetch(url)).status, (await fetch(`${url}/view`)).status]).toEqual([requestId, 200, 200])
    }
    await store.close()
  })
})

describe('a receipt', () => {
  async function filed(): Promise<Receipt & { readonly input: NonNullable<Receipt['input']> }> {
    const gateway = await testGateway({ script: () => 'done' })
    const response = await post(gateway, openaiFixture, openaiFixture.body(2))
    await response.text()
    const receipt = await gateway.store.read('receipts').get('default', response.headers.get('x-prehend-pack-id')!)
    return { ...receipt!, input: receipt!.input! }
  }
  const verified = (receipt: Awaited<ReturnType<typeof filed>>) =>
    verifyReceipt({ receipt, input: receipt.input, compile: (again) => compileAgain(again, receipt.manifest) })

  it('whose policy lacks a figure of this version is not provable; what it records is still compared', async () => {
    const receipt = await filed()
    expect(verified(receipt)).toEqual({ verified: true, differences: [] })
    const { calls: _, ...epochs } = { ...receipt.input.policy.epochs, calls: undefined }
    const policy = { ...receipt.input.policy, epochs: { ...epochs, ownCalls: undefined } } as never
    const older = { ...receipt, input: { ...receipt.input, policy } }
    expect(verified(older)).toMatchObject({
      verified: false,
      notProvable: expect.stringContaining('policy.epochs') as string,
      differences: [],
    })
    const [first, ...rest] = older.input.items
    const forged = { ...older, input: { ...older.input, items: [{ ...first!, text: 'Other.' }, ...rest] } }
    expect(verified(forged).differences).toMatchObject([{ field: 'items' }])
  })

  it('that somebody has changed is disproven', async () => {
    const receipt = await filed()
    const forged = { ...receipt, manifest: { ...receipt.manifest, packHash: 'x' } }
    expect(verified(forged)).toMatchObject({ verified: false, differences: [{ field: 'packHash' }] })
    expect(verified(forged)).not.toHaveProperty('notProvable')
  })
})
