// A provider that answers at once with the same reply: what remains is what stands in front of it.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'

const words = 'The quick brown fox jumps over the lazy dog while the gateway counts every token of it. '
const base = { id: 'chatcmpl-bench', created: 1, model: 'gpt-5.1', system_fingerprint: 'fp' }
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const message = { role: 'assistant', content: words.repeat(3) }
const whole = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
})

const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const pieces = [
  chunk({ role: 'assistant', content: '' }, null),
  ...words
    .repeat(2)
    .split(' ')
    .map((word) => chunk({ content: `${word} ` }, null)),
  `${chunk({}, 'stop')}data: [DONE]\n\n`,
]

/** One piece each turn of the event loop, as a model would write, only faster. */
function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let next = 0
  const write = (): void => {
    response.write(pieces[next])
    next += 1
    if (next < pieces.length) setImmediate(write)
    else response.end()
  }
  write()
}

const server = createServer((request, response) => {
  const tail: Buffer[] = []
  request.on('data', (data: Buffer) => void tail.push(data))
  request.on('end', () => {
    if (request.headers['x-bench'] === 'stream') return stream(response)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
    response.end(whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
