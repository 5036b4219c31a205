import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface GatewayProcess {
  readonly url: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Ends it as an operator would. */
  stop(): Promise<void>
}

const mainFile = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))

/** `prehend serve` on a free port, in a process of its own. Rejects with its words where it ends before it serves. */
export async function startGateway(
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const args = [mainFile, 'serve', '--port', '0', '--drain-ms', '5000', ...options]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  const exited = once(child, 'exit')
  const said: string[] = []
  child.stderr.on('data', (bytes: Buffer) => void said.push(bytes.toString()))
  const url = await new Promise<string>((done, failed) => {
    child.stdout.on('data', (bytes: Buffer) => {
      said.push(bytes.toString())
      const found = /Gateway on (\S+),/.exec(said.join(''))?.[1]
      if (found !== undefined) done(found)
    })
    void exited.then(() => failed(new Error(`prehend serve has ended: ${said.join('')}`)))
  })
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return { url, kill: () => ended('SIGKILL'), stop: () => ended('SIGTERM') }
}
