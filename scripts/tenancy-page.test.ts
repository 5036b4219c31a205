import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { servedPage } from './served-page.fixture.ts'
import type { ServedPage } from './served-page.fixture.ts'

const docs = join(resolve(import.meta.dirname, '..'), 'docs')

function blocks(page: string, language: string): readonly string[] {
  return Array.from(
    readFileSync(join(docs, page), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, code = '']) => code,
  )
}

const [configuration = ''] = blocks('tenancy.md', 'json')
const [serve = '', keys = '', ask = '', overHttp = ''] = blocks('tenancy.md', 'sh')
const [settings = ''] = blocks('tenancy/settings.md', 'sh')
const [audit = ''] = blocks('tenancy/audit-log.md', 'sh')
const [exported = '', create = '', list = ''] = keys.trim().split('\n')

let served: ServedPage
beforeAll(async () => {
  const files = { 'gateway.json': configuration }
  served = await servedPage({ start: serve, program: { name: 'prehend' }, files })
})
afterAll(() => served.close())

it('what docs/tenancy.md and its pages show does what they say, command by command', () => {
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
