import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import { openServing, servingConfig } from './open-serving.ts'
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

describe('the tables of an extension', () => {
  const weather = join(folder, 'weather.mjs')
  const fixture = new URL('../gateway/extensions/weather.fixture.ts', import.meta.url).href
  writeFileSync(weather, `export { weather as default } from '${fixture}'`)
  const withWeather = (...argv: readonly string[]) =>
    run(argv, { PREHEND_EXTENSION: weather, PREHEND_DATA: join(folder, 'weather') })

  it('are in the store of a command, and doctor opens it', async () => {
    expect((await withWeather('weather', 'monday', '12')).out).toBe('unknown\n')
    expect((await withWeather('weather', 'monday')).out).toBe('12\n')
    const checked = await run(['doctor'], { PREHEND_EXTENSION: weather, PREHEND_DATA: join(folder, 'weather') })
    expect(checked.out).toContain('weather adds commands, ladders, layers, routes, tables')
  })

  it('are exported and imported with the extension, and not left out without it', async () => {
    await withWeather('weather', 'sunday', '20')
    const file = join(folder, 'weather.jsonl')
    const [data, other] = [join(folder, 'weather'), join(folder, 'other-weather')]
    const without = await run(['export', file, '--data', data], { PREHEND_EXTENSION: '' })
    expect([without.code, without.err]).toEqual([
      2,
      expect.stringContaining('the table weather.days of the extension weather, which is not open'),
    ])
    expect((await run(['export', file, '--data', data, '--extension', weather], {})).code).toBe(0)
    const refused = await run(['import', file, '--data', other], { PREHEND_EXTENSION: '' })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--extension MODULE')])
    expect((await run(['import', file, '--data', other, '--extension', weather], {})).code).toBe(0)
    const again = await run(['weather', 'sunday'], { PREHEND_EXTENSION: weather, PREHEND_DATA: other })
    expect(again.out).toBe('20\n')
  })

  it('are in the store of prehend serve, on whose thread they are written', async () => {
    const options = { extension: [weather], data: join(folder, 'served'), port: 0 }
    const io = fakeIo({ environment: {} })
    const serving = await openServing(servingConfig(options, io), options, io)
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { 'content-type': 'application/json', 'authorization': 'Bearer key' }
    const answer = await fetch(`${serving.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    const kept = await fetch(`${serving.url}/v1/extensions/weather`)
    expect(await kept.json()).toEqual([30, 'here'])
    await serving.close()
  })
})
