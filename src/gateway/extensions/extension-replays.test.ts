import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)
const folder = mkdtempSync(join(tmpdir(), 'prehend-extension-replays-'))
afterAll(() => rmSync(folder, { recursive: true }))

const module = join(folder, 'one-line.mjs')
writeFileSync(
  module,
  `export default { name: 'one-line', specificationVersion: 1, open: () => ({ ladders: [
    (item, { count, handle }) => item.kind !== 'tool-result' ? undefined : [
      { rung: 'full', text: item.text, tokens: count(item.text), fidelity: 1 },
      { rung: 'line', text: 'RESULT ' + handle, tokens: count('RESULT ' + handle), fidelity: 0.2, handle }] ] }) }`,
)

interface Report {
  readonly id: string
  readonly state: string
  readonly error: string | null
  readonly totals: readonly { readonly name: string; readonly tokens: number }[]
}

/** Tokens that a replay sends in full and by a policy. */
async function replayedTokens(extensions: { module: string }[]): Promise<readonly number[]> {
  const gateway = await testGateway({ config: { extensions }, script: () => 'done' })
  for (const results of [5, 6, 7, 8])
    await (await post(gateway, anthropicFixture, anthropicFixture.body(results), { 'x-session-id': 'long' })).text()
  const body = JSON.stringify({
    sessions: ['long'],
    policies: ['thrifty'],
    model: 'claude-sonnet-4-6',
    windowTokens: 6000,
  })
  const headers = { 'content-type': 'application/json' }
  const begun = await fetch(`${gateway.url}/v1/replays`, { method: 'POST', headers, body })
  const { id } = (await begun.json()) as Report
  const report = async (): Promise<Report> => (await (await fetch(`${gateway.url}/v1/replays/${id}`)).json()) as Report
  await expect.poll(async () => (await report()).state, { timeout: 60_000 }).not.toBe('running')
  const { error, totals } = await report()
  expect(error).toBeNull()
  return totals.map(({ tokens }) => tokens)
}

it('a replay packs with the ladders of the extensions that the configuration names', { timeout: 120_000 }, async () => {
  const [full, packed = 0] = await replayedTokens([])
  const [sameFull, shorter] = await replayedTokens([{ module }])
  expect(sameFull).toBe(full)
  expect(shorter).toBeLessThan(packed)
})
