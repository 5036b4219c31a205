// Runs a client with a relay between it and the address that it was given, and writes down every request and every reply.
// Stands under the client's own name where `prehend wrap` looks for it. usage: recorder.child.ts ARGUMENTS…
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { constants } from 'node:os'
import type { Exchanged, RecorderTask } from './recorded.ts'

const { CLIENT_TASK = '{}', ...environment } = process.env
const { command, files, record } = JSON.parse(CLIENT_TASK) as RecorderTask
const target = new URL(environment['OPENAI_BASE_URL'] ?? '').origin

/** As bytes may be cut anywhere, they are joined before they are read. A client may hang up as soon as it has read enough. */
async function textOf(stream: AsyncIterable<Buffer>, each: (chunk: Buffer) => unknown): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      each(chunk)
    }
  } catch {
    // What came until then is what there was.
  }
  return Buffer.concat(chunks).toString()
}

/** Bodies are to be read: nothing is compressed. An upgrade is refused as by a server that knows none. */
function passedOn({ 'accept-encoding': _coding, 'upgrade': _upgrade, ...headers }: IncomingHttpHeaders) {
  return { ...headers, connection: 'keep-alive', host: new URL(target).host }
}

async function relay(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming
  const onward = request(target + path, { method, headers: passedOn(headers) })
  const replied = new Promise<IncomingMessage>((done, failed) => onward.on('response', done).on('error', failed))
  outgoing.on('close', () => onward.destroy())
  const sent = textOf(incoming, (chunk) => onward.write(chunk)).finally(() => onward.end())
  try {
    const reply = await replied
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    const received = await textOf(reply, (chunk) => outgoing.write(chunk))
    const type = reply.headers['content-type'] ?? ''
    const line: Exchanged = { method, path, status: reply.statusCode ?? 0, type, sent: await sent, received }
    appendFileSync(record, `${JSON.stringify(line)}\n`)
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

/** As long as the gateway's: a connection that closes as it is used again would be the relay's failure and not the client's. */
const keepAliveTimeout = 65_000
const server = createServer({ keepAliveTimeout }, (incoming, outgoing) => void relay(incoming, outgoing))
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pointed = (text: string): string => text.replaceAll(target, url).replaceAll('{url}', url)
  for (const [name, text] of Object.entries(files)) {
    const path = join(environment['HOME'] ?? '', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, pointed(text))
  }
  const [program = '', ...args] = [...command, ...process.argv.slice(2)].map(pointed)
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, pointed(value ?? '')]))
  const child = spawn(program, args, { stdio: 'inherit', env })
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
})
