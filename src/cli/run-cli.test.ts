import { compileSchemaText } from './help-command.ts'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { httpPage } from '../gateway/index.ts'
import { commands } from './commands.ts'
import { configurationSchemaText } from './configuration-file-schema.ts'
import { configurationPage } from './configuration-page.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { markdownHelp } from './help.ts'
import { runCli } from './run-cli.ts'

async function run(argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli(argv, io)
  return { code, ...io.written }
}

describe('runCli', () => {
  it('prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('names every command in --help', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  })

  it('shows the help, and fails, without a command', async () => {
    expect(await run([])).toMatchObject({
      code: 2,
      out: expect.stringContaining('Usage: prehend COMMAND'),
    })
  })

  it.each([undefined, 80, 60])(
    'help is no wider than a terminal of %s columns, but for words that are',
    async (columns) => {
      for (const argv of [['--help'], ...commands.map(({ name }) => [name, '--help'])]) {
        const io = fakeIo(columns === undefined ? {} : { columns })
        await runCli(argv, io)
        for (const line of io.written.out.split('\n').filter((each) => each.trim().includes(' '))) {
          const lastWord = line.trim().split(' ').at(-1) ?? ''
          expect(line.length - (lastWord.length > 24 ? lastWord.length : 0)).toBeLessThanOrEqual(columns ?? 80)
        }
      }
    },
  )

  it('an error that quotes a file sends no control character to the terminal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prehend-binary-'))
    const file = join(folder, 'program')
    writeFileSync(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x1b, 0x5b, 0x32, 0x4a, 0]))
    for (const argv of [
      ['compile', file],
      ['verify', file],
      ['replay', file],
      ['serve', '--config', file],
    ]) {
      const { code, err } = await run(argv)
      expect(code).toBe(2)
      expect(err.trimEnd()).toMatch(/^prehend: [ -~]*$/)
    }
    rmSync(folder, { recursive: true })
  })

  it('C-027: settings with which no request of a tenant could be packed: exit code 2, and a line for each', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prehend-settings-'))
    const file = join(folder, 'config.json')
    const metadata = { pressure_prepare: '0.9', reserve_share: 1 }
    writeFileSync(file, JSON.stringify({ tenants: { acme: { metadata }, other: { policy: 'step-pack' } } }))
    const { code, err } = await run(['serve', '--simulate', '--config', file])
    rmSync(folder, { recursive: true })
    const named = err
      .trimEnd()
      .split('\n')
      .map((line) => line.replace('prehend: ', '').split(':')[0])
    const fields = [
      'tenants.acme.metadata.reserve_share',
      'tenants.acme.metadata.pressure_prepare',
      'tenants.other.policy',
    ]
    expect([code, named]).toEqual([2, fields])
  })

  it.each(commands.map((command) => [command.name, command] as const))(
    '%s --help tells every option',
    async (name, command) => {
      const { code, out } = await run([name, '--help'])
      expect(code).toBe(0)
      for (const option of [...Object.keys(command.options), 'json', 'help']) expect(out).toContain(`--${option}`)
    },
  )

  it.each([
    [['relpay', 'x'], 'relpay: there is no such command. Did you mean prehend replay?'],
    [['--verison'], '--verison: there is no such option. See prehend --help'],
    [['replay', '--provder', 'x'], '--provder: there is no such option. Did you mean --provider?'],
    [['replay'], 'TRACE: is missing'],
  ])('%j is bad input: exit code 2', async (argv, message) => {
    const { code, err, out } = await run(argv)
    expect(code).toBe(2)
    expect(err).toContain(`prehend: ${message}`)
    expect(out).toBe('')
  })

  it('reports errors as JSON, too, where JSON was asked for', async () => {
    const { code, out } = await run(['replay', '/no/such/file.jsonl', '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'not-found', what: '/no/such/file.jsonl' },
    })
  })

  it('docs/http.md is what the routes of a gateway are stated as: npm run -s prehend -- help --http > docs/http.md', () => {
    const words = (text: string): string => text.replaceAll(/[\s|-]+/g, ' ')
    expect(words(readFileSync('docs/http.md', 'utf8'))).toBe(words(httpPage()))
  })

  it('docs/cli.md is what the option tables say: npm run -s prehend -- help --markdown > docs/cli.md', () => {
    expect(readFileSync('docs/cli.md', 'utf8')).toBe(markdownHelp(commands))
  })

  it('docs/configuration.md is what the schema says: prehend help --configuration > docs/configuration.md', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationPage(commands))
  })

  it('docs/configuration.schema.json is what a file is checked by: prehend help --configuration-schema > docs/configuration.schema.json', () => {
    expect(readFileSync('docs/configuration.schema.json', 'utf8')).toBe(configurationSchemaText())
  })

  it('docs/compile.schema.json is what a document is checked by: prehend help --compile-schema > docs/compile.schema.json', () => {
    expect(readFileSync('docs/compile.schema.json', 'utf8')).toBe(compileSchemaText())
  })
})
