import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { App } from './app.ts'
import { run } from './app.ts'

const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }

/** The command: its version, a compile, what `start` tells to type next, and a server that answers and ends on SIGTERM. */
export async function checkCommand({ folder, command }: App, node: string): Promise<string> {
  const prehend = (...args: readonly string[]): string => run(node, [command, ...args], folder)
  expect(prehend('--version'), /^\d+\.\d+\.\d+\n$/)
  const file = join(folder, 'request.json')
  writeFileSync(file, JSON.stringify(body))
  expect(prehend('compile', file), /^outcome +ok$/m)
  const data = join(folder, 'data')
  expect(prehend('start', '--once', '--simulate', '--port', '0', '--data', data), /^ {2}npx prehend packs$/m)
  await served(spawn(node, [command, ...serve(data)], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] }))
  return 'the command compiles, starts, serves and ends'
}

/** The commands of the README by npx. It does not pass SIGTERM on; the server must notice that it has gone. */
export async function checkNpx({ folder }: App, node: string): Promise<string> {
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` }
  const npx = (...args: readonly string[]): readonly string[] => ['--no-install', 'prehend', ...args]
  const data = join(folder, 'data')
  const said = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('npx', npx(...args), { cwd: folder, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npx prehend ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout
  }
  expect(said('replay', 'node_modules/prehend/examples/session.jsonl'), /\bbalanced\b/)
  const serving = npx(...serve(data), '--mode', 'observe')
  await served(spawn('npx', serving, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] }))
  expect(said('sessions', '--data', data, '--json'), /"session"/)
  return 'npx replays, observes and lists sessions; a server ends with the npx that started it'
}

/** A Node that is too old is told which one is needed, in one line. */
export function checkOldNode({ folder, command, leastNode }: App, node: string): string {
  const { status, stdout, stderr } = spawnSync(node, [command, 'doctor'], { cwd: folder, encoding: 'utf8' })
  if (status !== 1) throw new Error(`it ended with ${status}`)
  expect(stdout, /^$/)
  expect(stderr, new RegExp(`^prehend needs Node ${leastNode} or later, and this is Node [\\d.]+: .*\\n$`))
  return stderr.trim()
}

function serve(data: string): readonly string[] {
  return ['serve', '--simulate', '--port', '0', '--data', data, '--json']
}

/** Sends a request to a server that says where it is, ends it, and waits until nobody holds its output. */
async function served(server: ChildProcess): Promise<void> {
  if (server.stdout === null) throw new Error('it has no output')
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { readonly url: string }
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(await reply.text(), /"chat\.completion"/)
  server.kill('SIGTERM')
  await once(server.stdout, 'close')
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`not ${pattern}: ${text}`)
}
