import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers'
import type { WorkFolder } from './work-folder.ts'

export interface CommandResult {
  readonly passed: boolean
  /** What it printed, and how it ended where that was not with 0. */
  readonly output: string
}

export interface CommandOptions {
  readonly work: Pick<WorkFolder, 'path' | 'around' | 'temporary'>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Runs tests without this process's environment, so without its keys, and ends them and all that they started after the time limit.
 * `node` is this Node, under its permission model: code that a model wrote reads and writes the work folder only, and starts no program.
 */
export function runCommand(
  [program = 'node', ...rest]: readonly string[],
  { work, timeoutMs, signal }: CommandOptions,
): Promise<CommandResult> {
  const isNode = program === 'node'
  const child = spawn(isNode ? process.execPath : program, isNode ? [...confinement(work.around), ...rest] : rest, {
    cwd: work.path,
    env: {
      PATH: process.env['PATH'],
      HOME: work.temporary,
      TMPDIR: work.temporary,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      NO_COLOR: '1',
      CI: '1',
    },
    // A group of its own, which ends as a whole.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kept = keptEnds()
  child.stdout.on('data', kept.add)
  child.stderr.on('data', kept.add)
  let ending = ''
  const end = (why: string): void => {
    ending = why
    killGroup(child.pid)
  }
  const timer = setTimeout(() => end(`killed after ${timeoutMs / 1000} s`), timeoutMs)
  const interrupt = (): void => end('interrupted')
  signal.addEventListener('abort', interrupt, { once: true })
  return new Promise((done) => {
    const finish = (passed: boolean, how: string): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', interrupt)
      // What a test started and left behind.
      killGroup(child.pid)
      done({ passed, output: `${kept.text().trimEnd()}${how === '' ? '' : `\n[${ending || how}]`}` })
    }
    child.on('error', (error) => finish(false, `cannot be run: ${error.message}`))
    child.on('close', (code) => finish(code === 0, code === 0 ? '' : `exit code ${code ?? 'none'}`))
  })
}

/** Test files share a process: the permission to start one each would be the permission to start any program. */
function confinement(folder: string): readonly string[] {
  const rights = [`--allow-fs-read=${folder}`, `--allow-fs-write=${folder}`]
  return ['--permission', ...rights, '--experimental-test-isolation=none']
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const keptChars = 30_000

/** The beginning and the end of a long output. */
function keptEnds(): { add(chunk: Buffer): void; text(): string } {
  let [head, tail, leftOut] = ['', '', 0]
  const decoder = new TextDecoder()
  return {
    add(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      const room = Math.max(0, keptChars - head.length)
      head += text.slice(0, room)
      tail += text.slice(room)
      if (tail.length <= 2 * keptChars) return
      leftOut += tail.length - keptChars
      tail = tail.slice(-keptChars)
    },
    text: () => (leftOut === 0 ? head + tail : `${head}\n[${leftOut} characters left out]\n${tail}`),
  }
}
