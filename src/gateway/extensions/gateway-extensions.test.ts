import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { manualClock } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { extension } from './additions.ts'
import type { Additions } from './additions.ts'
import { placedModules } from './load-extensions.ts'

afterEach(closeTestGateways)

const folder = mkdtempSync(join(tmpdir(), 'prehend-extensions-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, code: string): string => {
  writeFileSync(join(folder, name), code)
  return join(folder, name)
}

const adding = (name: string, added: Additions) => extension({ name, specificationVersion: 1, open: () => added })

const opened = (config: object, given: object = {}) =>
  openGateway(parseConfig({ port: 0, ...config }), { store: memoryStore(), ...given })

describe('an extension as a value', () => {
  it('gets the embedder of the gateway, or none', async () => {
    const embedder = { embed: async () => [Float32Array.of(7)] }
    const seen: unknown[] = []
    const looking = extension({
      name: 'looking',
      specificationVersion: 1,
      async open(host) {
        seen.push(await host.embedder?.embed(['text']))
        return {}
      },
    })
    for (const given of [{ embedder }, {}]) {
      const gateway = await opened({}, { extensions: [looking], ...given })
      await gateway.close(0)
    }
    expect(seen).toEqual([[Float32Array.of(7)], undefined])
    await expect(opened({}, { embedder: {} })).rejects.toThrow('embedder: is not an embedder')
  })

  it('adds routes for the tenants of tokens alone, each below its own path', async () => {
    const notes = adding('notes', {
      routes: [
        { method: 'get', path: '/', answer: ({ tenant }) => ({ text: `notes of ${tenant}` }) },
        {
          method: 'put',
          path: '/{id}/text',
          answer: ({ params, query, body }) => ({ status: 201, json: { params, query, body } }),
        },
        {
          method: 'delete',
          path: '/{id}',
          answer: () => {
            throw new PrehendError('not-found', 'There is no such note. Look at the list.', {
              what: 'note',
              remedy: 'Look at the list.',
            })
          },
        },
      ],
    })
    const tokens = [{ token: 'a-long-secret', tenant: 'acme' }]
    const { url, provider } = await testGateway({ config: { tokens }, host: { extensions: [notes] } })
    const headers = { 'authorization': 'Bearer a-long-secret', 'content-type': 'application/json' }
    expect((await fetch(`${url}/v1/extensions/notes`)).status).toBe(401)
    expect(await (await fetch(`${url}/v1/extensions/notes`, { headers })).text()).toBe('notes of acme')
    const put = await fetch(`${url}/v1/extensions/notes/7/text?a=1&a=2`, { method: 'PUT', headers, body: '{"b":3}' })
    expect([put.status, await put.json()]).toEqual([201, { params: { id: '7' }, query: { a: '1,2' }, body: { b: 3 } }])
    expect((await fetch(`${url}/v1/extensions/notes/7`, { method: 'DELETE', headers })).status).toBe(404)
    expect((await fetch(`${url}/v1/extensions/others`, { headers })).status).toBe(404)
    expect(await (await fetch(`${url}/v1/extensions`, { headers })).json()).toEqual({
      extensions: [{ name: 'notes', adds: ['routes'] }],
    })
    expect(provider.requests).toEqual([])
  })

  it('runs its jobs, hears what happens, and counts what it has declared, within bounds', async () => {
    const clock = manualClock(0)
    const ran: number[] = []
    const heard: string[] = []
    let miscounted: unknown
    const busy = extension({
      name: 'busy-bee',
      specificationVersion: 1,
      open: ({ count }) => ({
        jobs: [{ name: 'tick', delayMs: 10, everyMs: 100, run: async () => void ran.push(clock.now()) }],
        events: ({ tenant, event }) => void heard.push(`${tenant} ${event.type}`),
        metrics: { flights: { help: 'Flights.', labels: ['to'] } },
        layers: [
          {
            name: 'flights',
            failure: 'open',
            appliesTo: ({ kind }) => kind === 'messages',
            handle(exchange, next) {
              for (let at = 0; at < 120; at += 1) count('flights', { to: `flower ${at}`, from: 'hive' })
              try {
                count('flight')
              } catch (error) {
                miscounted = error
              }
              return next(exchange)
            },
          },
        ],
      }),
    })
    const gateway = await testGateway({ clock, script: () => 'done', host: { extensions: [busy] } })
    await clock.advance(250)
    expect(ran).toEqual([10, 110, 210])
    await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()
    expect(heard).toContain('default context:assembled')
    expect(miscounted).toMatchObject({ message: 'extension busy-bee.metrics: has no "flight". Declare it.' })
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const lines = metrics.split('\n').filter((line) => line.startsWith('prehend_extension_busy_bee_flights_total'))
    expect(lines).toHaveLength(101)
    expect(lines).toContain('prehend_extension_busy_bee_flights_total{to="other"} 20')
    expect(metrics).toContain('prehend_jobs_total{kind="busy-bee/tick",state="done"} 3')
  })

  it.each([
    [
      { routes: [{ method: 'get', path: 'x', answer: () => ({ text: '' }) }] },
      /^extension a\.routes\[0\]\.path: is "x"/,
    ],
    [
      { routes: [{ method: 'get', path: '/../packs', answer: () => ({ text: '' }) }] },
      /^extension a\.routes\[0\]\.path: /,
    ],
    [{ metrics: { 'My metric': { help: 'x' } } }, /^extension a\.metrics\.My metric: has the name "My metric"/],
    [{ jobs: [{ name: 'x' }] }, /^extension a\.jobs\[0\]\.run: is missing/],
    [{ sources: [{ collect: () => undefined }] }, /^extension a\.sources\[0\]\.id: is missing/],
    [
      { layers: [{ layer: { name: 'x', failure: 'open', handle: () => undefined }, before: 'nothing' }] },
      /before "nothing"/,
    ],
  ])('that gives what is none ends the start, and is closed: %o', async (added, message) => {
    let isClosed = false
    const extensions = [adding('a', { ...(added as unknown as Additions), close: () => void (isClosed = true) })]
    await expect(opened({}, { extensions })).rejects.toThrow(message)
    expect(isClosed).toBe(true)
  })

  it('belongs to one part of openGateway: what only an extension can give is refused there', async () => {
    await expect(opened({}, { ladders: [] })).rejects.toThrow(
      'ladders: is not known. Give it by an extension: `extensions` of the configuration, or here.',
    )
    await expect(opened({}, { scource: [] })).rejects.toThrow(/^scource: is not known\. Did you mean sources\?/)
  })
})

describe('an extension by its module', () => {
  it('is found from a folder, by path or as a package', async () => {
    const text = 'export default { name: "found", specificationVersion: 1, open: () => ({}) }'
    const found = written('found.mjs', text)
    const placed = placedModules(
      [{ module: './found.mjs', config: 1 }, { module: found }, { module: 'no-such-package' }],
      folder,
    )
    expect(placed).toEqual([
      { module: pathToFileURL(found).href, config: 1 },
      { module: pathToFileURL(found).href },
      { module: 'no-such-package' },
    ])
    // A package is looked for where the file lies.
    const [zod] = placedModules([{ module: 'zod' }], process.cwd())
    expect(zod?.module).toMatch(/^file:.*node_modules\/zod\//)
  })

  it.each([
    [
      './none.mjs',
      /^extension .*none\.mjs: cannot be loaded: Cannot find module '[^']+'\. Check the name of the module\.?$/,
    ],
    ['no-such-package', /^extension no-such-package: cannot be loaded: /],
    ['./empty.mjs', /empty\.mjs: has no default export\./],
    ['./other.mjs', /other\.mjs\.name: is missing\./],
  ])('that is none ends the start with its name: %s', async (module, message) => {
    written('empty.mjs', 'export const nothing = 1')
    written('other.mjs', 'export default { specificationVersion: 1, open() {} }')
    const extensions = placedModules([{ module }], folder)
    await expect(opened({ extensions })).rejects.toThrow(message)
  })

  it('a new configuration opens its own extensions, and closes those of the one before', async () => {
    const lines: string[] = []
    const note = (event: string): void => void lines.push(event)
    const named = (name: string): string =>
      written(
        `${name}.mjs`,
        `export default { name: '${name}', specificationVersion: 1, open: ({ log }) => { log.info('open ${name}'); return { close: () => log.info('close ${name}') } } }`,
      )
    const config = (name: string) => parseConfig({ port: 0, extensions: [named(name)] })
    const first = config('first')
    const gateway = await openGateway(first, { store: memoryStore(), logger: { info: note, warn: note, error: note } })
    expect(gateway.extensions).toEqual(['first'])
    await gateway.reload(config('second'))
    expect(gateway.extensions).toEqual(['second'])
    await expect(gateway.reload(parseConfig({ port: 0, extensions: ['./nowhere.mjs'] }))).rejects.toThrow(
      /nowhere\.mjs/,
    )
    expect(gateway.extensions).toEqual(['second'])
    await gateway.close(0)
    expect(lines.filter((line) => /^(?:open|close) /.test(line))).toEqual([
      'open first',
      'open second',
      'close first',
      'close second',
    ])
  })
})
