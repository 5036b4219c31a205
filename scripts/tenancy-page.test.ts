import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { servedPage } from './served-page.fixture.ts'
import type { ServedPage } from './served-page.fixture.ts'

const page = readFileSync(join(resolve(import.meta.dirname, '..'), 'docs/tenancy.md'), 'utf8')

function blocks(language: string): readonly string[] {
  return Array.from(
    page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, code = '']) => code,
  )
}

const [configuration = ''] = blocks('json')
// The block between needs a gateway of its own.
const [serve = '', keys = '', ask = '', overHttp = '', , settings = '', audit = ''] = blocks('sh')
const [exported = '', create = '', list = ''] = keys.trim().split('\n')

let served: ServedPage
beforeAll(async () => {
  const files = { 'gateway.json': configuration }
  served = await servedPage({ start: serve, program: { name: 'prehend' }, files })
})
afterAll(() => served.close())

it('what docs/tenancy.md shows does what it says, command by command', () => {
  expect(served.run(exported, create)).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(join(served.folder, 'key.txt'), 'utf8')).toMatch(/^phd_[\w-]{43}\n$/)
  expect(served.run(exported, list).stdout).toMatch(/^id .*\nkey_[\w-]{16} +build server +acme /)
  expect(JSON.parse(served.run(ask).stdout)).toMatchObject({ object: 'chat.completion' })
  expect(JSON.parse(served.run(exported, overHttp).stdout)).toMatchObject({
    tenant: 'acme',
    scopes: ['inference', 'read'],
  })
  const set = served.run(exported, settings)
  expect([set.status, set.stderr]).toEqual([0, ''])
  expect(set.stdout).toContain('thrifty')
  const log = served.run(exported, audit)
  expect([log.status, log.stderr]).toEqual([0, ''])
  expect(log.stdout).toMatch(
    /settings\.remove[\s\S]*settings\.change[\s\S]*key\.create[\s\S]*key\.create[\s\S]*verified: 4 entries/,
  )
})
