import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import { isPrehendError } from '../../core/index.ts'
import { keyVault } from './key-vault.ts'
import { providerKeySettings } from './provider-key-settings.ts'
import { openKey, sealKey } from './sealed-keys.ts'

const secret = 'a-secret-of-32-characters-or-more-0123'
const other = 'another-secret-of-32-characters-or-more'
const folder = mkdtempSync(join(tmpdir(), 'prehend-vault-'))
const dataKey = Buffer.alloc(32, 7)

/** A program that encrypts by turning bytes around, as a KMS would by its own key. */
function program(work = '', name = 'wrap.mjs') {
  const path = join(folder, name)
  writeFileSync(
    path,
    `const action = process.argv.at(-1)
     let text = ''
     for await (const piece of process.stdin) text += piece
     ${work}
     const bytes = Buffer.from(text, 'base64').map((byte) => byte ^ 0x5a)
     if (process.argv[2] !== 'the $(argument)') process.exit(9)
     process.stderr.write('a secret')
     process.stdout.write(bytes.toString('base64'))`,
  )
  return [execPath, path, 'the $(argument)']
}

const vaultOf = (settings: object) => keyVault(providerKeySettings.parse(settings))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (isPrehendError(error) ? `${error.code}: ${error.message}` : String(error)),
  )

describe('a vault', () => {
  it('by a secret unwraps what it has wrapped, never twice to the same text', async () => {
    const vault = vaultOf({ secret })
    const [one, two] = [await vault.wrap(dataKey), await vault.wrap(dataKey)]
    expect(one).not.toBe(two)
    expect(await vaultOf({ secret }).unwrap(one)).toEqual(dataKey)
    expect([vault.isCurrent(one), vaultOf({ secret: other }).isCurrent(one)]).toEqual([true, false])
    expect(await codeOf(vaultOf({ secret: other }).unwrap(one))).toContain(
      'not-configured: A key was encrypted by another',
    )
    expect(await vaultOf({ secret: other, previousSecrets: [secret] }).unwrap(one)).toEqual(dataKey)
  })

  it('by a command runs it without a shell, and drops what it writes to standard error', async () => {
    const vault = vaultOf({ command: program() })
    const wrapped = await vault.wrap(dataKey)
    expect(wrapped).toMatch(/^command::/)
    expect(wrapped).not.toContain(dataKey.toString('base64'))
    expect(await vault.unwrap(wrapped)).toEqual(dataKey)
    expect(await codeOf(vaultOf({ secret }).unwrap(wrapped))).toContain(
      'encrypted by a command, and none is configured',
    )
    const bySecret = await vaultOf({ secret }).wrap(dataKey)
    expect(await vaultOf({ command: program(), previousSecrets: [secret] }).unwrap(bySecret)).toEqual(dataKey)
  })

  it.each([
    ['fails', `process.exit(3)`, 'ended with 3'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 'ended with SIGKILL'],
    ['says nothing', `process.exit(0)`, 'wrote no base64'],
    ['never ends', `await new Promise(() => setTimeout(() => undefined, 60_000))`, 'took more than 1000 ms'],
    [
      'writes for ever',
      `for (;;) await new Promise((done) => process.stdout.write('x'.repeat(10_000), done))`,
      'wrote more than a key',
    ],
  ])('by a command that %s rejects, and tells of nothing that it wrote', async (name, work, problem) => {
    const vault = vaultOf({ command: program(work, `${name.replaceAll(' ', '-')}.mjs`), commandMs: 1000 })
    const told = await codeOf(vault.wrap(dataKey))
    expect(told).toContain(`unavailable: The program of providerKeys.command ${problem}`)
    expect(told).not.toContain(dataKey.toString('base64').slice(0, 20))
  })

  it('by a command that is not there rejects', async () => {
    const vault = vaultOf({ command: ['/no/such/program'] })
    expect(await codeOf(vault.wrap(dataKey))).toContain('cannot be started (ENOENT)')
  })

  it('without secret and command stores nothing', async () => {
    expect(await codeOf(keyVault(undefined).wrap(dataKey))).toContain(
      'not-configured: Keys of tenants cannot be stored',
    )
  })
})

it('a sealed key opens for its own tenant, upstream and version alone', async () => {
  const vault = vaultOf({ secret })
  const row = { tenant: 'acme', key: 'openai', revision: 1, writtenMs: 5 }
  const value = await sealKey(vault, {
    tenant: 'acme',
    upstream: 'openai',
    key: 'sk-0123456789abcdef',
    nowMs: 5,
    stored: [],
  })
  expect(await openKey(vault, { ...row, value })).toBe('sk-0123456789abcdef')
  for (const changed of [
    { ...row, value, tenant: 'other' },
    { ...row, value, key: 'anthropic' },
    { ...row, value: { ...value, version: 'x' } },
    { ...row, value: { ...value, sealed: '' } },
    { ...row, value: { ...value, sealed: value.sealed.slice(4) } },
  ])
    expect(await codeOf(openKey(vault, changed))).toContain('was changed, or is another one')
  const bytes = Buffer.from(value.sealed, 'base64')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    expect(await codeOf(openKey(vault, { ...row, value: { ...value, sealed: flipped.toString('base64') } }))).toContain(
      'was changed',
    )
  }
})
