import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const module = join(folder, 'keeping.mjs')
writeFileSync(
  module,
  `export default { name: 'keeping', specificationVersion: 1, open: ({ blobs }) => ({ commands: [{ name: 'keep', about: 'keeps', run: async ({ arguments: [text, hash], out }) => {
    const found = hash && await blobs.get({ tenant: 'acme', hash })
    const ref = await blobs.put('acme', new TextEncoder().encode(text))
    out(found ? new TextDecoder().decode(found) : ref.hash)
  } }] }) }`,
)

async function run(argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const io = fakeIo({ environment: { PREHEND_EXTENSION: module, XDG_DATA_HOME: join(folder, 'data'), ...environment } })
  const code = await runCli(argv, io)
  return { code, ...io.written }
}

describe('a command of an extension finds the blobs of a gateway with the same settings', () => {
  it.each<readonly [string, string, Readonly<Record<string, string>>, readonly string[]]>([
    ['beside the store', 'data/prehend/blobs', {}, []],
    ['in the folder of the variable', 'of-variable', { PREHEND_BLOBS: join(folder, 'of-variable') }, []],
    ['in the folder of the configuration file', 'of-file', {}, ['--config', join(folder, 'prehend.json')]],
  ])('%s', async (_, where, environment, before) => {
    writeFileSync(join(folder, 'prehend.json'), '{"blobs": "of-file"}')
    const { code, out: hash } = await run([...before, 'keep', 'one'], environment)
    expect([code, hash]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect((await run([...before, 'keep', 'two', hash], environment)).out).toBe('one')
    expect(existsSync(join(folder, where))).toBe(true)
  })

  it('and one that is wrong is named', async () => {
    const { code, err } = await run(['keep', 'one'], { PREHEND_BLOBS: 's3://s3.example/blobs' })
    expect([code, err]).toEqual([2, expect.stringContaining('s3.accessKeyId: is missing, which `blobs` needs')])
  })
})
