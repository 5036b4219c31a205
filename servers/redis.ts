import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import { listening } from './listening.ts'
import { findProgram, freezeProcess } from './programs.ts'

export interface RedisServer {
  readonly url: string
  /** Ends it at once, as a crash would. What it held is gone. */
  kill(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  /** Lets it answer nothing, and answer again. */
  freeze(isFrozen: boolean): void
  /** Ends it, and removes its folder. */
  stop(): Promise<void>
}

/** A Redis server of its own, that keeps nothing on disk. */
export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'prehend-redis-'))
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  let server: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (server === undefined) return
    const exited = once(server, 'exit')
    server.kill('SIGCONT')
    server.kill('SIGKILL')
    server = undefined
    await exited
  }
  const start = async (): Promise<void> => {
    server = spawn(findProgram('redis-server') ?? 'redis-server', [...own, ...options], { stdio: 'ignore' })
    await listening(port)
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: (isFrozen) => freezeProcess(server?.pid, isFrozen),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
