import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'prehend-workers-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))
const configFile = join(folder, 'prehend.json')

async function serving(...options: readonly string[]) {
  const argv = [mainFile, 'serve', '--simulate', '--port', '0', '--workers', '2', '--data', folder, ...options]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const said = { err: '' }
  child.stderr.on('data', (bytes: Buffer) => void (said.err += bytes.toString()))
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /Gateway on (\S+),/.exec(output.toString())?.[1] ?? ''
  return { url, child, said }
}

/** Over a connection of its own, so that the processes take turns. */
async function ask(url: string, path: string, body?: object): Promise<Response> {
  const given = body && { method: 'POST', body: JSON.stringify(body) }
  return fetch(url + path, { ...given, headers: { 'content-type': 'application/json', 'connection': 'close' } })
}

const hello = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }

async function send(url: string): Promise<number> {
  const response = await ask(url, '/v1/chat/completions', hello)
  await response.text()
  return response.status
}

const requestsIn = async (url: string): Promise<number> =>
  Number(/^prehend_requests_total\{[^}]*"2xx"\} (\d+)$/m.exec(await (await ask(url, '/metrics')).text())?.[1])

/** Linux names the children of a process. */
const workersOf = ({ pid }: ChildProcess): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

it('two processes on one port count together, share events, and one that is killed is replaced', async () => {
  writeFileSync(configFile, JSON.stringify({ mode: 'on' }))
  const { url, child, said } = await serving('--config', configFile)
  const events = await ask(url, '/v1/events')
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const read = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) heard += part.value
  }
  void read().catch(() => undefined)
  for (let count = 0; count < 6; count += 1) expect(await send(url)).toBe(200)
  for (let count = 0; count < 3; count += 1) expect(await requestsIn(url)).toBe(6)
  await expect.poll(() => heard.match(/^event: context:assembled$/gm)?.length).toBe(6)
  const shares = new Set(Array.from(heard.matchAll(/^id: (\w+)-/gm), ([, run]) => run))
  expect(shares.size).toBe(2)
  await reader.cancel()

  const [first, second] = workersOf(child)
  process.kill(first!, 'SIGKILL')
  await expect.poll(() => workersOf(child).filter((pid) => pid !== first).length).toBe(2)
  expect(said.err).toContain('a process that serves has ended (SIGKILL); another one is started')
  // What was shown is not lost with the process that has counted it.
  expect(await requestsIn(url)).toBe(6)
  for (let count = 0; count < 4; count += 1) expect(await send(url)).toBe(200)
  expect(await requestsIn(url)).toBe(10)
  expect(workersOf(child)).toContain(second)

  child.kill('SIGHUP')
  await expect.poll(() => said.err.match(/the configuration was read again/g)?.length, { timeout: 20_000 }).toBe(2)
  expect(await (await ask(url, '/metrics')).text()).toContain('prehend_reloads_total{result="applied"} 2')
  const audit = spawnSync(process.execPath, [mainFile, 'audit', '--data', folder, '--json'], { encoding: 'utf8' })
  expect(audit.stdout.match(/config\.reload/g)).toHaveLength(1)
  process.kill(second!, 'SIGKILL')
  await expect.poll(() => workersOf(child).includes(second!)).toBe(false)
  expect(await requestsIn(url)).toBe(10)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 90_000)

it('with --log, ended processes and refused configurations are lines of JSON, too', async () => {
  writeFileSync(configFile, JSON.stringify({ mode: 'on' }))
  const { url, child, said } = await serving('--config', configFile, '--log')
  const events = (): readonly { readonly event: string; readonly [field: string]: unknown }[] =>
    said.err
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly event: string })
  const [first] = workersOf(child)
  process.kill(first!, 'SIGKILL')
  await expect.poll(() => workersOf(child).filter((pid) => pid !== first).length).toBe(2)
  await expect
    .poll(() => events())
    .toContainEqual(expect.objectContaining({ level: 'error', event: 'worker-ended', signal: 'SIGKILL' }))
  // The new one hears of it when it serves.
  child.kill('SIGHUP')
  await expect.poll(() => events().filter(({ event }) => event === 'reloaded').length, { timeout: 20_000 }).toBe(2)
  writeFileSync(configFile, JSON.stringify({ mod: 'on' }))
  child.kill('SIGHUP')
  const refused = () => events().filter(({ event }) => event === 'reload-refused')
  await expect.poll(refused, { timeout: 10_000 }).toHaveLength(2)
  expect(refused()[0]).toMatchObject({ level: 'error', reason: expect.stringContaining('mod: is not known') })
  expect(await (await ask(url, '/metrics')).text()).toContain('prehend_reloads_total{result="refused"} 2')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(events().map(({ event }) => event)).toContain('stopping')
}, 90_000)

it('where the first process cannot serve, its error is printed once and its exit code is that of the command', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  const argv = [mainFile, 'serve', '--simulate', '--workers', '3', '--data', folder, '--port', port]
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 60_000 })
  taken.close()
  expect(stderr.match(/is taken by another program/g)).toHaveLength(1)
  expect(status).toBe(2)
}, 90_000)
