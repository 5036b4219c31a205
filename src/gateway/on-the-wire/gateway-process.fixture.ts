import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { closeTestGateways } from './test-gateway.fixture.ts'

interface GatewayProcess {
  readonly url: string
  readonly child: ChildProcess
}

interface GatewayProcesses {
  /** For their stores. */
  readonly folder: string
  /** `before` is a command that starts the command behind it. */
  start(storePath: string, providerUrl: string, before?: readonly string[]): Promise<GatewayProcess>
}

const gatewayFile = fileURLToPath(new URL('gateway.child.ts', import.meta.url))

/** Gateways in processes of their own, over SQLite. They and their folder are gone after the tests of a file. */
export function gatewayProcesses(name: string): GatewayProcesses {
  const folder = mkdtempSync(join(tmpdir(), `prehend-${name}-`))
  const running: ChildProcess[] = []
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await closeTestGateways()
    rmSync(folder, { recursive: true })
  })
  return {
    folder,
    async start(storePath, providerUrl, before = []) {
      const [program, ...args] = [...before, process.execPath, gatewayFile, storePath, providerUrl]
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      running.push(child)
      const [output] = (await once(child.stdout, 'data')) as [Buffer]
      return { url: output.toString().trim(), child }
    },
  }
}
