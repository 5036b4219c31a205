import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openaiFixture, post } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../src/gateway/on-the-wire/threads.fixture.ts'
import { modelCatalogue, openSession } from '../src/index.ts'
import { simulatedProvider } from '../src/providers/index.ts'

const root = resolve(import.meta.dirname, '..')
const module = resolve(root, 'examples/extension/git-status.ts')
const folder = mkdtempSync(join(tmpdir(), 'prehend-example-'))
const tree = join(folder, 'tree')

beforeAll(() => {
  const git = (...args: string[]) => expect(spawnSync('git', args, { encoding: 'utf8' }).status).toBe(0)
  git('init', '--quiet', '--initial-branch', 'spring', tree)
  writeFileSync(join(tree, 'seeds.txt'), 'beans\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0)) await close()
})

const extensions = [{ module, config: { folder: tree } }]

/** What `git status` has said, with so many files that nobody tracks. */
const status = (turn: number): string =>
  [
    '## spring',
    ` M kept-${turn}.ts`,
    ...Array.from({ length: 300 }, (_, at) => `?? made/turn-${turn}/file-${at}.log`),
  ].join('\n')

const tools = [
  {
    type: 'function',
    function: { name: 'shell', description: 'Runs a command.', parameters: { type: 'object', properties: {} } },
  },
]

/** A conversation that has asked for the status again and again. */
const body = (turns: number, ask = 'Tidy up.') => ({
  model: 'gpt-5.1',
  tools,
  messages: [
    { role: 'user', content: ask },
    ...Array.from({ length: turns }, (_, turn) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: 'shell', arguments: `{"turn":${turn}}` } }],
      },
      { role: 'tool', tool_call_id: `c${turn}`, content: status(turn) },
    ]).flat(),
  ],
})

const models = { 'gpt-5.1': { windowTokens: 30_000, maxOutputTokens: 1000 } }
const shortened = /## spring\\n M kept-\d+\.ts\\n\[300 untracked files: rehydrate\(/

/** Whether each request of a gateway can be made again from its receipt, on the thread that reads for people. */
async function verified({ url }: { readonly url: string }): Promise<readonly boolean[]> {
  const listed = (await (await fetch(`${url}/v1/packs`)).json()) as {
    readonly data: readonly { requestId: string; model: string; packId: string }[]
  }
  const packed = listed.data.slice(0, 2)
  return Promise.all(
    packed.map(async ({ requestId }) => {
      const answer = await fetch(`${url}/v1/packs/${requestId}/verify`, { method: 'POST' })
      return ((await answer.json()) as { readonly verified: boolean }).verified
    }),
  )
}

describe('the example of an extension', () => {
  it('adds a source, a ladder, a layer and a route to a gateway whose threads carry the requests', async () => {
    const provider = simulatedProvider({ script: () => 'done', strict: false })
    const server = await provider.listen()
    closers.push(() => server.close())
    const gateway = await threadedGateway(server.url, { extensions, models })
    await startedThread(gateway)
    const before = gateway.carried()
    const sent = async (turns: number): Promise<string> => {
      expect((await post(gateway, openaiFixture, body(turns, `Tidy up ${turns} times.`))).status).toBe(200)
      return provider.requests.at(-1)?.body ?? ''
    }
    expect(await sent(1)).toContain('Changes in the working tree:\\n## No commits yet on spring\\n?? seeds.txt')
    expect(shortened.test(await sent(12))).toBe(true)
    expect(await verified(gateway)).toEqual([true, true])
    await expect.poll(() => gateway.carried()).toBe(before + 2)
    expect(await (await fetch(`${gateway.url}/v1/extensions/git-status`)).text()).toContain('?? seeds.txt')
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/^prehend_extension_git_status_requests_total\{branch="[^"]+"\} \d/m)
  })

  it('adds its ladder to a session in process', async () => {
    const { default: gitStatus } = (await import(module)) as { readonly default: never }
    const session = openSession({
      policy: 'thrifty',
      catalogue: modelCatalogue({ models }),
      extensions: [{ extension: gitStatus, config: { folder: tree } }],
    })
    expect(shortened.test((await session.pack(body(12))).body)).toBe(true)
    await session.close()
    const plain = openSession({ policy: 'thrifty', catalogue: modelCatalogue({ models }) })
    expect(shortened.test((await plain.pack(body(12))).body)).toBe(false)
  })

  it('adds its ladder and its command to the command line', () => {
    const config = join(folder, 'gateway.json')
    writeFileSync(config, JSON.stringify({ extensions }))
    writeFileSync(join(folder, 'body.json'), JSON.stringify(body(12)))
    const prehend = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'src/cli/main.ts'), ...args], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, PREHEND_DATA: join(folder, 'data') },
      })
    const told = prehend('--config', config, 'git-status')
    expect([told.status, told.stderr]).toEqual([0, ''])
    expect(told.stdout).toContain('?? seeds.txt')
    const compile = ['compile', 'body.json', '--budget', '20000', '--policy', 'thrifty', '--output', 'sent.json']
    const sent = (...more: string[]): string => {
      expect(prehend(...compile, ...more).status).toBe(0)
      return spawnSync('cat', [join(folder, 'sent.json')], { encoding: 'utf8' }).stdout
    }
    expect([sent('--config', config), sent()].map((text) => shortened.test(text))).toEqual([true, false])
    const found = prehend('doctor', '--config', config).stdout
    expect(found).toContain('git-status adds commands, ladders, layers, metrics, routes, sources')
  })
})
