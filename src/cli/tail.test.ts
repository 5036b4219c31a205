import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

it("says in the gateway's words what is wrong with a type, and does not ask again", async () => {
  const message = 'type: securty is no type of event. Did you mean security?'
  const server = createServer((_, response) => response.writeHead(400).end(JSON.stringify({ error: { message } })))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const io = fakeIo()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await runCli(['tail', '--url', url, '--type', 'securty'], io)).toBe(2)
  expect(io.written.err).toContain(message)
  server.close()
})

it('follows events, and goes on from the last one where the stream breaks off', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    asked.push(headers['last-event-id'] as string | undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `: events\n\nid: r-${asked.length}\nevent: security\ndata: {"type":"security","n":${asked.length}}\n\n`,
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const io = fakeIo()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const running = runCli(['tail', '--url', url, '--json'], io)
  while (asked.length < 2 || !io.written.out.includes('"n":2')) await new Promise((done) => setTimeout(done, 10))
  io.interrupt()
  expect(await running).toBe(0)
  expect(asked.slice(0, 2)).toEqual([undefined, 'r-1'])
  expect(io.written.out.split('\n')[0]).toBe('{"type":"security","n":1}')
  server.close()
})
