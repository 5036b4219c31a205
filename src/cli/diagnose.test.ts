import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Diagnosis } from '../inspect/packs/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-diagnose-'))
afterAll(() => rmSync(folder, { recursive: true }))

const body = (...messages: readonly object[]): string => {
  const file = join(folder, 'request.json')
  writeFileSync(file, JSON.stringify({ model: 'gpt-4.1', messages }))
  return file
}

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100 })
  const code = await runCli(['diagnose', ...argv], io)
  return { code, ...io.written }
}

const system = (content: string) => ({ role: 'system', content })
const user = (content: string) => ({ role: 'user', content })

it('P-071: a request body is diagnosed: the cause, its places, and what to do', async () => {
  const file = body(system('Always answer in JSON. Never answer in JSON.'), user('Go.'))
  const { code, out } = await run(file)
  expect(code).toBe(1)
  expect(out).toMatch(/most likely: conflicting/)
  expect(out).toMatch(/ at +\S+:1: Always answer in JSON/)
  expect(out).toMatch(/ do +Keep one of them/)
  const found = JSON.parse((await run(file, '--json')).out) as Diagnosis
  expect(found.findings.map(({ cause }) => cause)).toEqual(['conflicting'])
})

it('what is needed and nowhere is missing; a request with nothing wrong exits with 0', async () => {
  const file = body(system('Be brief.'), user('Go.'))
  expect(await run(file)).toMatchObject({ code: 0, out: expect.stringContaining('nothing was found') })
  const { code, out } = await run(file, '--need', 'retry_ceiling_ms')
  expect([code, out]).toEqual([1, expect.stringContaining('"retry_ceiling_ms" is needed and stands in nothing')])
})
