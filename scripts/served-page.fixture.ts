import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '..')

export interface PageToServe {
  /** The command by which the page starts its gateway. */
  readonly start: string
  /** The program that the page calls the command line by, and the lines of shell that come before it runs. */
  readonly program: { readonly name: string; readonly before?: string }
  /** Files that the page has written, by name. */
  readonly files?: Readonly<Record<string, string>>
}

export interface ServedPage {
  readonly folder: string
  /** Runs commands of the page in one shell. */
  run(...commands: readonly string[]): {
    readonly status: number | null
    readonly stdout: string
    readonly stderr: string
  }
  close(): Promise<void>
}

/** The gateway of a page, started as the page says in a folder of its own, on a free port in place of 8484. */
export async function servedPage({ start, program, files = {} }: PageToServe): Promise<ServedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-page-'))
  const environment = { PATH: `${join(folder, 'bin')}:${env['PATH']}`, HOME: folder }
  const port = await freePort()
  mkdirSync(join(folder, 'bin'))
  const main = `#!/bin/sh\n${program.before ?? ''}exec ${execPath} ${join(root, 'src/cli/main.ts')} "$@"\n`
  writeFileSync(join(folder, 'bin', program.name), main, { mode: 0o755 })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const command = `exec ${start.trim()} --port ${port}`
  const served = spawn('bash', ['-c', command], { cwd: folder, env: environment, stdio: 'ignore' })
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/readiness`).catch(() => undefined)
    if (ready?.ok) break
    await delay(100)
  }
  return {
    folder,
    run(...commands) {
      const script = ['set -e', ...commands].join('\n').replaceAll(':8484', `:${port}`)
      const options = { cwd: folder, encoding: 'utf8', env: environment, timeout: 60_000 } as const
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], options)
      return { status, stdout, stderr }
    },
    async close() {
      const ended = once(served, 'exit')
      served.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
