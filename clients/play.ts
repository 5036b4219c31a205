import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { simulatedProvider } from '../src/providers/index.ts'
import type { SimulatedRequest } from '../src/providers/index.ts'
import type { Client, Job } from './client.ts'
import type { Exchanged, RecorderTask } from './recorded.ts'
import { runProcess } from './run-process.ts'
import type { Ended } from './run-process.ts'
import { codingJob } from './scripted-job.ts'

export const root = resolve(import.meta.dirname, '..')
export const prehend = join(root, 'src/cli/main.ts')

export interface Played extends Ended {
  /** What the client sent and received; of one that packs its own calls, what it was given to see is its output. */
  readonly exchanges: readonly Exchanged[]
  /** What reached the provider. */
  readonly requests: readonly SimulatedRequest[]
  /** Hashes of the files at the end, by path. */
  readonly files: Readonly<Record<string, string>>
}

interface Place extends Job {
  /** The environment of the client, which has nothing of this machine's. */
  readonly env: Readonly<Record<string, string>>
  readonly record: string
}

interface Settings {
  /** The folder where the client is installed. */
  readonly installed: string
  /** An empty folder of its own. */
  readonly place: string
  /** Where Prehend keeps its data; absent, the job is done without it. */
  readonly data?: string
  readonly timeoutMs: number
}

/** Has a client do the job, without Prehend or with it. */
export async function play(client: Client, { installed, place, data, timeoutMs }: Settings): Promise<Played> {
  const provider = simulatedProvider({ script: codingJob(), strict: false })
  const server = await provider.listen()
  try {
    const prepared = prepare(client, installed, place)
    const { env, folder } = prepared
    const args = client.args(prepared)
    const [program, given] =
      data === undefined || client.inProcess !== undefined
        ? pointed(client, server.url, args, env)
        : [node, wrapped(client, server.url, args, data)]
    const packing = data !== undefined && client.inProcess !== undefined ? inProcess(data) : {}
    const ended = await runProcess(program, given.args, {
      cwd: folder,
      timeoutMs,
      env: { ...env, ...given.variables, ...packing },
    })
    // For whoever wants to know what it saw: `--keep` leaves it there.
    writeFileSync(join(place, 'output.txt'), ended.output)
    return {
      ...ended,
      exchanges: exchangesIn(prepared.record),
      requests: [...provider.requests],
      files: filesIn(prepared, client),
    }
  } finally {
    await server.close()
  }
}

const node = process.execPath

interface Given {
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/** A home, a repository, and the recorder in a folder of programs, under the client's name. */
function prepare(client: Client, installed: string, place: string): Place {
  const { home, folder, bin } = foldersIn(place)
  const record = join(place, 'record.jsonl')
  const command = client.command.map((part) => (existsSync(join(installed, part)) ? join(installed, part) : part))
  const task: RecorderTask = { command, files: client.files ?? {}, record }
  const env = {
    ...baseVariables(home, bin),
    CLIENT_TASK: JSON.stringify(task),
    ...client.variables,
  }
  commitAll(folder, env)
  const shim = join(bin, client.program)
  writeFileSync(shim, `#!/bin/sh\nexec '${node}' '${join(import.meta.dirname, 'recorder.child.ts')}' "$@"\n`)
  chmodSync(shim, 0o755)
  const prompt = `Look at this project and leave notes about it. Working directory: ${folder}`
  return { prompt, folder, env, record }
}

export interface ClientFolders {
  readonly home: string
  /** A copy of the example repository, not committed yet. */
  readonly folder: string
  /** For programs; empty. */
  readonly bin: string
}

/** Makes the folders that a client needs. */
export function foldersIn(place: string): ClientFolders {
  const [home, folder, bin] = [join(place, 'home'), join(place, 'repo'), join(place, 'bin')]
  mkdirSync(join(home, 'tmp'), { recursive: true })
  mkdirSync(bin)
  cpSync(join(root, 'examples/repo'), folder, { recursive: true })
  return { home, folder, bin }
}

/** The environment of a client, which has nothing of this machine's. */
export function baseVariables(home: string, bin: string): Readonly<Record<string, string>> {
  return {
    PATH: [bin, dirname(node), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    OPENAI_API_KEY: 'any',
    ANTHROPIC_API_KEY: 'any',
    GEMINI_API_KEY: 'any',
  }
}

export function commitAll(folder: string, env: Readonly<Record<string, string>>): void {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@stock.example', '-c', 'init.defaultBranch=main']
  const when = { GIT_AUTHOR_DATE: '2026-01-05T09:00:00Z', GIT_COMMITTER_DATE: '2026-01-05T09:00:00Z' }
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'Stock reports'],
  ]) {
    execFileSync('git', [...who, ...args], { cwd: folder, env: { ...env, ...when } })
  }
}

/** Without Prehend: what `prehend wrap` would give the client, but with the provider's own address. */
export function pointed({ program }: Client, url: string, args: readonly string[], env: Place['env']): [string, Given] {
  const shown = execFileSync(node, [prehend, 'wrap', '--print', '--json', '--port', new URL(url).port, program], {
    env,
    encoding: 'utf8',
  })
  const given = JSON.parse(shown) as Given
  return [program, { args: [...given.args, ...args], variables: given.variables }]
}

function wrapped({ program, policy = 'masked' }: Client, url: string, args: readonly string[], data: string): Given {
  const upstreams = ['openai', 'anthropic', 'google'].flatMap((name) => ['--upstream', `${name}=${url}`])
  const options = ['--data', data, '--policy', policy, ...upstreams]
  return { args: [prehend, 'wrap', ...options, '--', program, ...args], variables: {} }
}

/** What an agent that packs its own calls needs to know. */
function inProcess(data: string): Readonly<Record<string, string>> {
  mkdirSync(data, { recursive: true })
  return { PREHEND_SOURCE: join(root, 'src'), PREHEND_DATA: data }
}

function exchangesIn(record: string): readonly Exchanged[] {
  if (!existsSync(record)) return []
  const lines = readFileSync(record, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Exchanged)
}

function filesIn({ folder }: Place, { volatile = /$^/ }: Client): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const own = paths.filter((path) => !path.startsWith('.git/')).toSorted()
  const hashed = (path: string): string => {
    const text = readFileSync(join(folder, path), 'utf8').replaceAll(folder, '').replace(volatile, '')
    return createHash('sha256').update(text).digest('hex')
  }
  return Object.fromEntries(own.map((path) => [path, hashed(path)]))
}
