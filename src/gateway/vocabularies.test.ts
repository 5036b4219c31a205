import fs from 'node:fs'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, testGateway } from './on-the-wire/test-gateway.fixture.ts'
import type { DialectFixture } from './on-the-wire/test-gateway.fixture.ts'

const reads = vi.spyOn(fs, 'readFileSync')
afterEach(closeTestGateways)
afterAll(() => reads.mockRestore())

/** The vocabularies that this process has read so far. */
const vocabularies = (): readonly string[] =>
  reads.mock.calls.flatMap(([file]) => /vocabularies\/([\w-]+)[.]json$/.exec(String(file))?.[1] ?? [])

it('a gateway reads no vocabulary when it starts, and each one when it is first asked for a model that counts by it', async () => {
  const gateway = await testGateway()
  const ask = async ({ path, headers, body }: DialectFixture): Promise<number> => {
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return (await fetch(gateway.url + path, { ...options, body: JSON.stringify(body(1)) })).status
  }
  expect(vocabularies()).toEqual([])
  expect(await ask(openaiFixture)).toBe(200)
  expect(vocabularies()).toEqual(['o200k-base'])
  expect(await ask(openaiFixture)).toBe(200)
  expect(await ask(anthropicFixture)).toBe(200)
  expect(vocabularies()).toEqual(['o200k-base', 'claude'])
})
