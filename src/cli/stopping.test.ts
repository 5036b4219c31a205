import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../providers/index.ts'
import type { ScriptEntry, SimulatedProvider } from '../providers/index.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Serving {
  readonly url: string
  readonly child: ChildProcess
  readonly provider: SimulatedProvider
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly said: () => string
}

/** `prehend serve` in a process of its own, before a provider that answers as it is told. */
async function serving(script: (turn: number) => ScriptEntry, drainMs: number): Promise<Serving> {
  const provider = simulatedProvider({ script: (_, turn) => script(turn) })
  const server = await provider.listen()
  const data = mkdtempSync(join(tmpdir(), 'prehend-stopping-'))
  const upstreams = ['--upstream', `openai=${server.url}/v1`, '--upstream', `anthropic=${server.url}`]
  const options = ['--port', '0', '--data', data, '--drain-ms', String(drainMs), '--json', ...upstreams]
  const child = spawn(process.execPath, [main, 'serve', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  closers.push(async () => {
    child.kill('SIGKILL')
    await ended
    await server.close()
    rmSync(data, { recursive: true, force: true })
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(first.toString()) as { url: string }
  return { url, child, provider, ended, said: () => said }
}

const hello = [{ role: 'user' as const, content: 'hello' }]
const openaiAsk = { model: 'gpt-5.1', messages: hello }
const anthropicAsk = { model: 'claude-sonnet-4-6', max_tokens: 500, messages: hello }

const openaiOf = ({ url }: Serving): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
const anthropicOf = ({ url }: Serving): Anthropic => new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })

async function thrownBy(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const words = 'word '.repeat(20)

/** An answer that takes two seconds. */
const brief: ScriptEntry = { text: words, tokensPerSecond: 10 }

/** Answers that take half a minute each. */
const slow: ScriptEntry = { text: 'word '.repeat(300), tokensPerSecond: 10 }

/** A process of its own takes its time to begin. */
function poll<Value>(value: () => Value | Promise<Value>) {
  return expect.poll(value, { timeout: 30_000, interval: 10 })
}

async function begun({ provider }: Serving, requests: number): Promise<void> {
  await poll(() => provider.requests.filter(({ firstByteMs }) => firstByteMs !== undefined).length).toBe(requests)
}

describe.each(['SIGTERM', 'SIGINT'] as const)('a gateway that is told to stop by %s', (signal) => {
  it('lets what is under way end, and then ends itself', async () => {
    const gateway = await serving(() => brief, 60_000)
    const streams = [
      openaiOf(gateway)
        .chat.completions.stream({ ...openaiAsk, stream: true })
        .finalContent(),
      anthropicOf(gateway).messages.stream(anthropicAsk).finalText(),
    ]
    await begun(gateway, 2)
    gateway.child.kill(signal)
    await poll(() =>
      fetch(`${gateway.url}/health/readiness`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    ).toBe('refused')
    expect(await Promise.all(streams)).toEqual([words, words])
    expect(await gateway.ended).toBe(0)
    expect(gateway.said()).toContain('waiting for 2 requests under way, 60 s at most')
  })

  it('tells in each dialect that it stops, when time is up', async () => {
    const gateway = await serving((turn) => (turn < 2 ? slow : { text: 'late', firstByteMs: 30_000 }), 200)
    const openai = thrownBy(
      openaiOf(gateway)
        .chat.completions.stream({ ...openaiAsk, stream: true })
        .finalContent(),
    )
    const anthropic = thrownBy(anthropicOf(gateway).messages.stream(anthropicAsk).finalText())
    await begun(gateway, 2)
    const whole = thrownBy(openaiOf(gateway).chat.completions.create(openaiAsk))
    await poll(() => gateway.provider.requests.length).toBe(3)
    gateway.child.kill(signal)
    expect(await openai).toMatchObject({
      code: 'unavailable',
      error: { message: expect.stringContaining('stopping') as string },
    })
    expect(await anthropic).toMatchObject({
      type: 'overloaded_error',
      apiMessage: expect.stringContaining('stopping') as string,
    })
    const refused = await whole
    expect(refused).toBeInstanceOf(OpenAI.InternalServerError)
    expect(refused).toMatchObject({ status: 503, code: 'unavailable' })
    expect((refused as { headers: Headers }).headers.get('retry-after')).toBe('1')
    expect(await gateway.ended).toBe(0)
    await poll(() => gateway.provider.requests.map(({ state }) => state)).toEqual(['aborted', 'aborted', 'aborted'])
  })

  it('ends at once when it is told twice', async () => {
    const gateway = await serving(() => slow, 600_000)
    const stream = thrownBy(anthropicOf(gateway).messages.stream(anthropicAsk).finalText())
    await begun(gateway, 1)
    gateway.child.kill(signal)
    await poll(() => gateway.said()).toContain('a second signal ends at once')
    gateway.child.kill(signal)
    expect(await gateway.ended).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(await stream).toBeInstanceOf(Error)
  })

  it('ends at once where nothing is under way, kept-alive connections or not', async () => {
    const gateway = await serving(() => 'done', 600_000)
    await openaiOf(gateway).chat.completions.create(openaiAsk)
    gateway.child.kill(signal)
    expect(await gateway.ended).toBe(0)
    expect(gateway.said()).toBe('')
  })
})

describe('a connection that stays open while a gateway stops', () => {
  /** All that comes on a connection for requests that are sent one after the other. */
  async function answers(gateway: Serving, later: readonly string[]): Promise<string> {
    const { hostname, port, host } = new URL(gateway.url)
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    const body = JSON.stringify({ ...openaiAsk, stream: true })
    const post = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer key\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(post('/v1/chat/completions'))
    await begun(gateway, 1)
    gateway.child.kill('SIGTERM')
    await poll(() => gateway.said()).toContain('waiting')
    for (const path of later) {
      socket.write(path.startsWith('GET') ? `${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n` : post(path))
    }
    await once(socket, 'close')
    return text
  }

  it('gets no new answer: the gateway is not ready, and says when to try again', async () => {
    const gateway = await serving(() => brief, 60_000)
    const text = await answers(gateway, ['/v1/chat/completions'])
    const [stream = '', refusal = ''] = text.split(/(?=HTTP\/1\.1 503)/)
    expect(stream).toContain('[DONE]')
    expect(refusal).toMatch(/^connection: close/im)
    expect(refusal).toMatch(/^retry-after: 1/im)
    expect(refusal).toContain('"code":"unavailable"')
    expect(gateway.provider.requests).toHaveLength(1)
    expect(await gateway.ended).toBe(0)
  })

  it('learns that the gateway is not ready', async () => {
    const gateway = await serving(() => brief, 60_000)
    const text = await answers(gateway, ['GET /health/readiness'])
    const [, refusal = ''] = text.split(/(?=HTTP\/1\.1 503)/)
    expect(refusal).toContain('"status":"stopping"')
    expect(await gateway.ended).toBe(0)
  })
})
