import { spawn } from 'node:child_process'

export interface Ended {
  /** -1 where it was stopped because its time was over. */
  readonly code: number
  /** Standard output and standard error, as they came. */
  readonly output: string
}

interface Settings {
  readonly cwd: string
  readonly timeoutMs: number
  /** The whole environment; this process's own where absent. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program to its end, or to the end of its time; with it ends all that it has started. */
export function runProcess(program: string, args: readonly string[], settings: Settings): Promise<Ended> {
  const { cwd, timeoutMs, env } = settings
  return new Promise((done, failed) => {
    const child = spawn(program, [...args], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env && { env }),
    })
    let output = ''
    let late = false
    const keep = (chunk: Buffer): void => void (output += chunk.toString())
    const endAll = (): void => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
    process.once('exit', endAll)
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => {
      late = true
      endAll()
    }, timeoutMs)
    child.on('error', failed)
    child.on('exit', endAll)
    child.on('close', (code) => {
      clearTimeout(timer)
      process.off('exit', endAll)
      done({ code: late ? -1 : (code ?? 1), output })
    })
  })
}
