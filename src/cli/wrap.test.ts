import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { permittingText } from '../providers/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import type { Io } from './io.ts'
import { runCli } from './run-cli.ts'
import { runProgram } from './run-program.ts'
import { pointing } from './wrapped-agents.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-wrap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let runs = 0

async function wrap(argv: readonly string[], agent: Io['runProgram'], environment: Io['environment'] = {}) {
  runs += 1
  const io = fakeIo({ runProgram: agent, environment })
  const code = await runCli(['wrap', '--data', join(folder, String(runs)), ...argv], io)
  return { code, ...io.written }
}

it('the help and the docs name the options that an agent needs for the demonstration', async () => {
  const lines = [...permittingText().matchAll(/`(\w+)[^`]*? (-[^`]+)`/g)]
  expect(lines.map(([, agent]) => agent)).toEqual(['claude', 'codex', 'gemini', 'qwen', 'cn'])
  const io = fakeIo()
  await runCli(['wrap', '--help'], io)
  const help = io.written.out.replaceAll(/\s+/g, ' ')
  const docs = readFileSync(fileURLToPath(new URL('../../docs/agents.md', import.meta.url)), 'utf8')
  for (const [line, agent, options = ''] of lines) {
    expect(help).toContain(line)
    expect(docs).toMatch(new RegExp(`${agent} [^\\n]*${options}`))
  }
})

const never: Io['runProgram'] = () => Promise.reject(new Error('it was started'))

describe('prehend wrap', () => {
  it("gives the official SDKs a gateway by their own variables, and ends with the program's code", async () => {
    let url = ''
    const { code, out, err } = await wrap(
      ['--script', 'example', 'agent', '--json', '-x'],
      async (program, args, set) => {
        expect([program, args]).toEqual(['agent', ['--json', '-x']])
        url = set['ANTHROPIC_BASE_URL'] ?? ''
        const openai = new OpenAI({ baseURL: set['OPENAI_BASE_URL'], apiKey: 'mine' })
        const anthropic = new Anthropic({ baseURL: url, apiKey: 'mine' })
        const messages = [{ role: 'user' as const, content: 'Mend it.' }]
        const chat = await openai.chat.completions.create({ model: 'gpt-5.1', messages })
        const said = await anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 64, messages })
        expect([chat.choices.length, said.role]).toEqual([1, 'assistant'])
        return 3
      },
    )
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain(`agent goes through ${url} to the simulated provider; mode on, policy balanced`)
    expect(err).toMatch(/prehend: .*with everything sent/)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('packs what the Gemini CLI asks for, at the address that its SDK reads', async () => {
    const { code, err } = await wrap(
      ['--script', 'example', 'gemini', '-p', 'Mend it.'],
      async (_program, args, set) => {
        expect(args).toEqual(['-p', 'Mend it.'])
        const ai = new GoogleGenAI({ apiKey: 'mine', httpOptions: { baseUrl: set['GOOGLE_GEMINI_BASE_URL'] ?? '' } })
        const asked = { model: 'gemini-2.5-pro', contents: 'Mend it.' }
        for await (const _ of await ai.models.generateContentStream(asked)) void _
        const listed = (await ai.models.list()).page.map(({ name }) => name)
        expect(listed).toEqual(['models/gemini-3.5-flash', 'models/gemini-2.5-pro'])
        return 0
      },
    )
    expect([code, err]).toEqual([0, expect.stringMatching(/prehend: .*with everything sent/)])
  })

  it('packs what Codex asks for, in the dialect and at the address that its settings name', async () => {
    const { code, err } = await wrap(['--script', 'example', 'codex', 'exec'], async (_program, args) => {
      const setting = (name: string): string =>
        JSON.parse(args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? '""') as string
      expect([setting('model_providers.prehend.wire_api'), args.at(-1)]).toEqual(['responses', 'exec'])
      const openai = new OpenAI({ baseURL: setting('model_providers.prehend.base_url'), apiKey: 'mine' })
      const asked = { model: 'gpt-5.1', input: 'Mend it.', store: false }
      for await (const _ of await openai.responses.create({ ...asked, stream: true })) void _
      return 0
    })
    expect([code, err]).toEqual([0, expect.stringMatching(/prehend: .*with everything sent/)])
  })

  it('sets the keys that are missing where the simulated provider answers, and no others', async () => {
    const seen: Readonly<Record<string, string>>[] = []
    const agent: Io['runProgram'] = (_program, _args, set) => {
      seen.push(set)
      return Promise.resolve(0)
    }
    await wrap(['--simulate', 'agent'], agent, { OPENAI_API_KEY: 'mine' })
    await wrap(['--upstream', 'openai=http://127.0.0.1:9/v1', 'agent'], agent, {})
    expect(seen.map((set) => [set['OPENAI_API_KEY'], set['GEMINI_API_KEY']])).toEqual([
      [undefined, 'simulated'],
      [undefined, undefined],
    ])
  })

  it('sends on the credentials that the program brings, whatever keys are set', async () => {
    const arrived: IncomingHttpHeaders[] = []
    const server = createServer(({ headers }, response) => {
      arrived.push(headers)
      response.end('{"object":"list","data":[]}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const upstream = `openai=http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const agent: Io['runProgram'] = async (_program, _args, set) => {
      await new OpenAI({ baseURL: set['OPENAI_BASE_URL'], apiKey: 'mine' }).models.list()
      return 0
    }
    const { err } = await wrap(['--upstream', upstream, 'agent'], agent, { OPENAI_API_KEY: 'another' })
    server.close()
    expect(arrived.map(({ authorization }) => authorization)).toEqual(['Bearer mine'])
    expect(err).toContain('no request came here to be packed')
  })

  it.each([
    [
      ['qwen', '--yolo'],
      ['--auth-type', 'openai', '--yolo'],
    ],
    [
      ['qwen', '--auth-type', 'anthropic'],
      ['--auth-type', 'anthropic'],
    ],
    [['qwen', '--auth-type=anthropic'], ['--auth-type=anthropic']],
  ])('gives %j what it needs and was not given', async (argv, expected) => {
    let given: readonly string[] = []
    await wrap(['--script', 'example', ...argv], (_program, args) => {
      given = args
      return Promise.resolve(0)
    })
    expect(given).toEqual(expected)
  })

  it('says what the Gemini CLI needs where no request of it came', async () => {
    const { err } = await wrap(['--script', 'example', 'gemini'], () => Promise.resolve(41))
    expect(err).toMatch(/no request came here to be packed; gemini: set .*"gemini-api-key".*--skip-trust/)
    expect(err).toContain("Options of prehend go before the program's name: prehend wrap --policy thrifty gemini")
  })

  it('counts the requests of its own run, not those of earlier ones in the same store', async () => {
    const data = ['--data', join(folder, 'twice')]
    const agent: Io['runProgram'] = async (_program, _args, set) => {
      const openai = new OpenAI({ baseURL: set['OPENAI_BASE_URL'], apiKey: 'mine' })
      await openai.chat.completions.create({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Mend it.' }] })
      return 0
    }
    const told = [await wrap([...data, '--simulate', 'a'], agent), await wrap([...data, '--simulate', 'a'], agent)]
    const tokens = told.map(({ err }) => /; (\d+ tokens in)/.exec(err)?.[1])
    expect(tokens[0]).toMatch(/tokens in/)
    expect(tokens[1]).toBe(tokens[0])
    expect(told[1]?.err).toContain('simulated provider: no money was spent')
    const idle = await wrap([...data, '--simulate', 'a'], () => Promise.resolve(0))
    expect(idle.err).toContain('no request came here to be packed')
  })

  it('says why no request was answered: the host that could not be reached, or the status', async () => {
    const agent: Io['runProgram'] = async (_program, _args, set) => {
      const openai = new OpenAI({ baseURL: set['OPENAI_BASE_URL'], apiKey: 'mine', maxRetries: 0 })
      const messages = [{ role: 'user' as const, content: 'Mend it.' }]
      await openai.chat.completions.create({ model: 'gpt-5.1', messages }).catch(() => undefined)
      return 1
    }
    const gone = await wrap(['--upstream', 'openai=http://127.0.0.1:9/v1', 'a'], agent)
    expect(gone.err).toContain('no request was answered: the provider openai could not be reached: 127.0.0.1:9')
    const server = createServer((_, response) => response.writeHead(401).end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = (server.address() as AddressInfo).port
    const refused = await wrap(['--upstream', `openai=http://127.0.0.1:${port}/v1`, 'a'], agent)
    server.close()
    expect(refused.err).toContain('no request was answered: the provider openai answered with status 401')
  })

  it('names no port as its default in its help', async () => {
    const { out } = await wrap(['--help'], never)
    expect(out).toContain('--port PORT')
    expect(out).not.toContain('default: 8484')
  })

  it('goes to the providers by itself where nothing else is said', async () => {
    const { err } = await wrap(['agent'], () => Promise.resolve(0), { ANTHROPIC_API_KEY: 'set' })
    expect(err).toContain('to anthropic; mode on')
    const without = await wrap(['agent'], () => Promise.resolve(0))
    expect(without.err).toContain('to the provider that agent is logged in to; mode on')
  })

  it.each([
    [['--print', 'codex'], `# codex -c 'model_provider="prehend"'`],
    [['--print', '--port', '9000', 'anything'], 'export OPENAI_BASE_URL=http://127.0.0.1:9000/v1'],
    [
      ['--print', 'cline'],
      '# run: cline auth -p openai-compatible -k "$OPENAI_API_KEY" -m gpt-5.1 -b http://127.0.0.1:8484/v1',
    ],
    [['--print', 'qwen'], '# qwen --auth-type openai'],
    [['--print', 'gemini'], '"selectedType": "gemini-api-key"'],
    [['--print', '--json', 'goose'], '"OPENAI_HOST":"http://127.0.0.1:8484"'],
    [['--print', '--json', 'crush'], '"ANTHROPIC_API_ENDPOINT":"http://127.0.0.1:8484"'],
  ])('%j shows what it would do, and starts nothing', async (argv, said) => {
    const { code, out } = await wrap(argv, never)
    expect([code, out]).toEqual([0, expect.stringContaining(said)])
  })

  it.each([
    [['cline'], 2, 'Start prehend serve, then run: cline auth'],
    [[], 2, 'CMD: is missing'],
    [['--polcy', 'careful', 'agent'], 2, 'Did you mean --policy?'],
  ])('%j is refused before anything is started', async (argv, expected, said) => {
    const { code, err } = await wrap(argv, never)
    expect([code, err]).toEqual([expected, expect.stringContaining(said)])
  })

  it('a gateway that asks for a token is of no use to the program', async () => {
    const config = join(folder, 'tokens.json')
    writeFileSync(config, '{"tokens": [{"token": "a-long-secret", "tenant": "a"}]}')
    const { code, err } = await wrap(['--config', config, 'agent'], never)
    expect([code, err]).toEqual([2, expect.stringContaining('tokens')])
  })
})

describe('pointing', () => {
  it.each(['/usr/bin/goose', 'goose.exe', 'goose'])('knows an agent by the name of its program: %s', (program) => {
    const { variables } = pointing(program, 'http://gateway')
    expect(variables).toMatchObject({ ANTHROPIC_HOST: 'http://gateway', OPENAI_API_BASE: 'http://gateway/v1' })
  })

  it('opencode gets its configuration as a variable', () => {
    const { variables } = pointing('opencode', 'http://gateway')
    expect(JSON.parse(variables['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      provider: {
        anthropic: { options: { baseURL: 'http://gateway/v1' } },
        google: { options: { baseURL: 'http://gateway/v1beta' } },
      },
    })
  })
})

describe('runProgram', () => {
  const node = (script: string, variables = {}) => runProgram(process.execPath, ['-e', script], variables)

  it('gives the code, and 128 and the number of the signal that ended it', async () => {
    expect(await node('process.exit(Number(process.env.WRAPPED))', { WRAPPED: '7' })).toBe(7)
    expect(await node('process.kill(process.pid, "SIGTERM")')).toBe(143)
  })

  it('says what cannot be started', async () => {
    const missing = runProgram(join(folder, 'missing'), [], {})
    await expect(missing).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('ENOENT') })
  })
})

describe('the command itself', () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const argv = (script: string) => [
    main,
    'wrap',
    '--script',
    'example',
    '--data',
    folder,
    '--',
    process.execPath,
    '-e',
    script,
  ]

  it('leaves standard output and the terminal to the program', () => {
    const script = 'process.stdout.write(process.env.ANTHROPIC_BASE_URL); process.exitCode = 5'
    const { stdout, status } = spawnSync(process.execPath, argv(script), { encoding: 'utf8' })
    expect([stdout, status]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), 5])
  })

  it('passes on that it is to end, and ends with the program', async () => {
    const script = 'process.on("SIGTERM", () => process.exit(9)); setInterval(() => 0, 1000); console.log("up")'
    const child = spawn(process.execPath, argv(script), { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(9)
  })
})
