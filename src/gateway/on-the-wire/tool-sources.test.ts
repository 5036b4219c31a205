import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { closeTestGateways } from './test-gateway.fixture.ts'
import { inFolder, removeFolders, toolGateway } from './tool-registry.fixture.ts'

const children: ChildProcess[] = []

afterEach(closeTestGateways)
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})
afterEach(removeFolders)

const packages = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol')
const everything = join(packages, 'server-everything/dist/index.js')
const filesystem = join(packages, 'server-filesystem/dist/index.js')

describe('official MCP servers', () => {
  it('over standard input and output: a file is read, and one outside of the folder is not', async () => {
    const folder = inFolder()
    writeFileSync(join(folder, 'a.txt'), 'the words of a file')
    const gateway = await toolGateway({ files: { command: process.execPath, args: [filesystem, folder] } })
    const { data, missing } = (await gateway.tool('GET', '')).body
    expect([data.length, missing]).toEqual([14, []])
    expect((await gateway.tool('GET', '?q=read a text file&limit=3')).body.data.map(({ id }) => id)).toContain(
      'files::read_text_file',
    )
    expect(await gateway.call('files::read_text_file', { path: join(folder, 'a.txt') })).toMatchObject({
      ok: true,
      text: 'the words of a file',
    })
    expect(await gateway.call('read_text_file', { path: '/etc/passwd' })).toMatchObject({
      ok: false,
      error: { code: 'tool-error', message: expect.stringContaining('outside') as string },
    })
  })

  it('over streamable HTTP: tools are listed and called', async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    })
    children.push(child)
    const url = `http://127.0.0.1:${port}/mcp`
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true)
    const gateway = await toolGateway({ all: { url } })
    const { data, missing } = (await gateway.tool('GET', '')).body
    expect(missing).toEqual([])
    expect(data.length).toBeGreaterThan(8)
    expect(await gateway.call('all::echo', { message: 'hello' })).toMatchObject({ ok: true, text: 'Echo: hello' })
    const sum = data.map(({ id }) => String(id)).find((id) => /sum|add/.test(id)) ?? ''
    expect(await gateway.call(sum, { a: 'x', b: 2 })).toMatchObject({ error: { code: 'invalid-arguments' } })
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const yaml = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: 'BASE/{stage}', variables: { stage: { default: v1 } } }]
paths:
  /pets/{id}:
    get:
      operationId: showPet
      summary: Shows a pet by its id.
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
`

describe('OpenAPI documents', () => {
  it('in YAML, from a file: an operation is found and called, with the headers of the source', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Rex"}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const file = join(inFolder(), 'pets.yaml')
    writeFileSync(file, yaml.replace('BASE', base))
    const gateway = await toolGateway({ pets: { openapi: file, headers: { 'x-api-key': 'secret' } } })
    expect((await gateway.tool('GET', '?q=pet')).body.data).toMatchObject([
      { id: 'pets::showPet', line: 'showPet(id: integer): Shows a pet by its id.', protocol: 'http', idempotent: true },
    ])
    expect(await gateway.call('pets::showPet', { id: 7 })).toMatchObject({ ok: true, structured: { name: 'Rex' } })
    expect(await gateway.call('pets::showPet', { id: 'x' })).toMatchObject({ error: { code: 'invalid-arguments' } })
    expect(asked).toEqual(['GET /v1/pets/7 secret'])
    expect(JSON.stringify(gateway.log) + JSON.stringify((await gateway.tool('GET', '')).body)).not.toContain('secret')
    server.close()
  })

  it('one that is no document, and one without a base, make the catalogue incomplete', async () => {
    const folder = inFolder()
    writeFileSync(join(folder, 'none.json'), '{"swagger":"2.0"}')
    writeFileSync(join(folder, 'baseless.json'), '{"openapi":"3.1.0","paths":{}}')
    const gateway = await toolGateway({
      none: { openapi: join(folder, 'none.json') },
      baseless: { openapi: join(folder, 'baseless.json') },
      absent: { openapi: join(folder, 'absent.json') },
    })
    const { missing } = (await gateway.tool('GET', '')).body
    expect(missing.map(({ server, reason }) => `${server}: ${reason}`)).toEqual([
      expect.stringContaining('no OpenAPI 3 document') as string,
      expect.stringContaining('set baseUrl of the source') as string,
      expect.stringContaining('ENOENT') as string,
    ])
  })
})
