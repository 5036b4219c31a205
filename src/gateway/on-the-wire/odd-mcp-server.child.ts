// An MCP server of 2025 on standard input and output that misbehaves as it is told. usage: odd-mcp-server.child.ts HOW [FILE]
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

type Json = Readonly<Record<string, unknown>>

const [how = 'well', file = ''] = process.argv.slice(2)
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }

function send(message: Json): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function tools(): readonly Json[] {
  if (how === 'file') return JSON.parse(readFileSync(file, 'utf8')) as readonly Json[]
  if (how === 'floods')
    return Array.from({ length: 5000 }, (_, at) => ({ name: `tool_${at}`, description: 'x', inputSchema: text }))
  return [
    { name: 'echo', description: 'Says a text again.', inputSchema: text, annotations: { readOnlyHint: true } },
    { name: 'write', description: 'Writes a text.', inputSchema: text },
  ]
}

function call(id: unknown, { name, arguments: given }: Json): void {
  if (file !== '' && how !== 'file') appendFileSync(file, `${String(name)}\n`)
  if (how === 'hangs-in-calls') return
  if (how === 'dies-in-calls') process.exit(1)
  if (how === 'long-results') return send({ id, result: { content: [{ type: 'text', text: 'word '.repeat(20_000) }] } })
  if (how === 'endless-results')
    return send({ id, result: { content: [{ type: 'text', text: 'x'.repeat(20_000_000) }] } })
  if (how === 'fails')
    return send({ id, result: { content: [{ type: 'text', text: 'No such file.' }], isError: true } })
  if (how === 'no-results') return send({ id, result: 'nothing' })
  send({ id, result: { content: [{ type: 'text', text: `heard ${String((given as Json)['text'])}` }] } })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Json
  if (method === 'initialize') {
    if (how === 'hangs') return
    const capabilities = { tools: { listChanged: true } }
    const result = { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'odd', version: '1' } }
    send({ id, result })
  } else if (method === 'tools/list') {
    if (how === 'garbage') process.stdout.write('this is no JSON\n')
    send({ id, result: { tools: tools() } })
    if (how === 'says-changed') for (let at = 0; at < 500; at += 1) send({ method: 'notifications/tools/list_changed' })
  } else if (method === 'tools/call') call(id, params as Json)
  else if (id !== undefined) send({ id, error: { code: -32_601, message: 'There is no such method.' } })
})
