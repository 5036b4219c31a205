import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-keys-'))
const file = join(folder, 'prehend.sqlite')
let store: Store
let gateway: Gateway

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100, environment: { USER: 'alice' } })
  return { code: await runCli([...argv], io), ...io.written }
}

async function ask(secret: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${secret}` }
  const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
  await answer.text()
  return answer.status
}

beforeAll(async () => {
  store = sqliteStore({ path: file })
  const tokens = [{ token: 'token-of-operations', tenant: 'house', name: 'ops', scopes: ['operator' as const] }]
  gateway = await openGateway(parseConfig({ port: 0, tokens }), { store })
})

afterAll(async () => {
  await gateway.close(0)
  await store.close()
  rmSync(folder, { recursive: true })
})

describe.each(['store', 'gateway'])('prehend keys, by the %s', (where) => {
  const place = (): readonly string[] =>
    where === 'store' ? ['--data', folder] : ['--url', gateway.url, '--token', 'token-of-operations']
  const tenant = `tenant-of-${where}`

  it('makes a key whose secret alone is on standard output, and which the gateway takes', async () => {
    const { code, out, err } = await run('keys', 'create', 'ci', '--tenant', tenant, '--expires', '90d', ...place())
    expect([code, out]).toEqual([0, expect.stringMatching(/^phd_[\w-]{43}\n$/)])
    const secret = out.trim()
    expect(err).toContain(`tenant     ${tenant}\n`)
    expect(err).toContain(`secret     ${secret.slice(0, 10)}…\n`)
    expect(err).not.toContain(secret)
    const warning = `prehend: tenant ${tenant} is in no configuration: no budget, default policy\n`
    // A store alone has no configuration to compare with.
    expect(err.startsWith(warning)).toBe(where === 'gateway')
    expect(await ask(secret)).toBe(200)
  })

  it('shows, rotates and revokes keys', async () => {
    const more = ['--tenant', tenant, '--team', 'build', '--model', 'gpt-*', '--model', 'tiny', '--scope', 'inference']
    const made = JSON.parse((await run('keys', 'create', 'agent', ...more, '--json', ...place())).out)
    expect(made).toMatchObject({ tenant, team: 'build', allowedModels: ['gpt-*', 'tiny'], state: 'active' })
    const shown = await run('keys', 'show', made.id, ...place())
    expect(shown.out).toMatch(/^id {9}key_[\w-]{16}\nname {7}agent\n/)
    expect(shown.out).toContain('models     gpt-* tiny\n')
    const rotated = await run('keys', 'rotate', made.id, '--grace', '1h', '--tenant', tenant, ...place())
    expect(rotated.err).toContain(`${made.id} ends at `)
    expect(await ask(rotated.out.trim())).toBe(200)
    expect(await ask(made.secret)).toBe(200)
    const elsewhere = await run('keys', 'revoke', made.id, '--tenant', 'nobody', ...place())
    expect([elsewhere.code, elsewhere.err.replaceAll(/\s+/g, ' ')]).toEqual([
      4,
      expect.stringContaining(`This key is one of the tenant ${tenant}. Name the tenant ${tenant} (--tenant`),
    ])
    const revoked = await run('keys', 'revoke', made.id, '--json', ...place())
    expect(JSON.parse(revoked.out)).toMatchObject({
      id: made.id,
      tenant,
      state: 'revoked',
      lastUsedMs: expect.any(Number),
    })
    const long = await run('keys', 'rotate', made.id, '--grace', '90d', ...place())
    expect([long.code, long.err]).toEqual([2, expect.stringContaining('--grace: at most 30d')])
    const list = await run('keys', 'list', '--tenant', tenant, ...place())
    expect(list.out).toContain(made.id)
    expect(list.out).toContain('revoked')
    for (const line of list.out.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    const all = JSON.parse((await run('keys', '--json', ...place())).out) as { keys: { tenant: string }[] }
    expect(all.keys.filter((key) => key.tenant === tenant)).toHaveLength(3)
  })

  it('names what is not there and what is wrong', async () => {
    const absent = await run('keys', 'show', 'key_of_nobody', '--tenant', tenant, ...place())
    expect([absent.code, absent.out]).toEqual([4, ''])
    expect(absent.err).toContain('There is no such key.')
    const route = await run('keys', 'create', 'x', '--route', 'anything', '--tenant', tenant, ...place())
    expect([route.code, route.err]).toEqual([2, expect.stringContaining('allowedRoutes')])
  })

  it('stands in the audit log, by who did it', async () => {
    const actor = where === 'store' ? 'cli alice' : 'ops'
    const from = where === 'store' ? 'local' : '127.0.0.1'
    const { out } = await run('audit', 'list', '--tenant', tenant, '--json', ...place())
    const { entries } = JSON.parse(out) as { entries: { action: string; actor: string; from: string }[] }
    expect(entries.map(({ action }) => action)).toEqual([
      'key.revoke',
      'key.create',
      'key.rotate',
      'key.create',
      'key.create',
    ])
    for (const entry of entries) expect(entry).toMatchObject({ actor, from })
    const verified = await run('audit', 'verify', '--tenant', tenant, ...place())
    expect([verified.code, verified.out.split('\n')[0]]).toEqual([0, 'verified: 5 entries'])
    expect((await run('audit', '--tenant', tenant, ...place())).out).toMatch(/^at .*\n20\d\d-.*key\.revoke/)
  })
})

describe('prehend audit', () => {
  it('verifies an exported file, and names the first entry that does not fit', async () => {
    const { out } = await run('audit', 'export', '--data', folder)
    const exported = join(folder, 'audit.jsonl')
    writeFileSync(exported, out)
    const whole = await run('audit', 'verify', exported)
    expect([whole.code, whole.out]).toEqual([
      0,
      expect.stringContaining('verified: 10 entries\n  the tenant tenant-of-'),
    ])
    const lines = out.trim().split('\n')
    const last = JSON.parse(lines.at(-1)!) as { hash: string }
    expect((await run('audit', 'verify', exported, '--has', last.hash)).code).toBe(0)
    writeFileSync(exported, lines.slice(0, -1).join('\n'))
    const cut = await run('audit', 'verify', exported, '--has', last.hash)
    expect([cut.code, cut.out]).toEqual([1, expect.stringContaining(`there is no entry ${last.hash}`)])
    writeFileSync(
      exported,
      lines.with(2, lines[2]!.replace('cli alice', 'cli mallory').replace('ops', 'eve')).join('\n'),
    )
    const changed = await run('audit', 'verify', exported)
    expect([changed.code, changed.out]).toEqual([1, expect.stringMatching(/^not verified: entry 3 of the tenant /)])
    writeFileSync(exported, 'nothing\n')
    expect((await run('audit', 'verify', exported)).err).toContain(`${exported}:1: is no entry of an audit log`)
  })

  it('finds an entry that was changed in the store', async () => {
    const other = mkdtempSync(join(tmpdir(), 'prehend-audit-'))
    const path = join(other, 'prehend.sqlite')
    await sqliteStore({ path }).close()
    for (const name of ['a', 'b', 'c']) await run('keys', 'create', name, '--data', other)
    expect((await run('audit', 'verify', '--data', other)).code).toBe(0)
    const db = new DatabaseSync(path)
    db.exec("UPDATE audit SET actor = 'somebody else' WHERE seq = 2")
    db.close()
    const { code, out } = await run('audit', 'verify', '--data', other, '--json')
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ verified: false })])
    expect(JSON.parse(out)).toMatchObject({ broken: { tenant: 'default', seq: 2 } })
    rmSync(other, { recursive: true })
  })
})

it.each([
  ['ACTION', 'keys', 'make'],
  ['NAME', 'keys', 'create'],
  ['ID', 'keys', 'revoke'],
  ['--expires', 'keys', 'create', 'x', '--expires', 'soon'],
  ['--grace', 'keys', 'rotate', 'x', '--grace', '1 hour'],
  ['--scope', 'keys', 'create', 'x', '--scope', 'write'],
  ['FILE', 'audit', 'list', 'x'],
])('%s that is wrong is named before anything is opened', async (name, ...argv) => {
  const { code, err, out } = await run(...argv, '--data', join(folder, 'nowhere'))
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(name)
})
