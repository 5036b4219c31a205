import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { keepInspectorBuilt } from '../scripts/build-inspector.ts'

const root = resolve(import.meta.dirname, '..')

/** A gateway as somebody starts it, before a simulated provider. */
export interface RunningGateway {
  readonly url: string
  close(): Promise<void>
}

/** Starts one on an empty store, or on that of a folder, which stays; `options` are those of `prehend serve`. */
export async function startGateway(options: readonly string[] = [], folder?: string): Promise<RunningGateway> {
  await keepInspectorBuilt()
  const data = folder ?? mkdtempSync(join(tmpdir(), 'prehend-browser-'))
  const given = ['serve', '--json', '--port', '0', '--data', data, ...options]
  const { OPENAI_API_KEY: _o, ANTHROPIC_API_KEY: _a, DEEPSEEK_API_KEY: _d, ...env } = process.env
  const child = spawn(process.execPath, ['scripts/run.ts', ...given], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([once(lines, 'line'), exited.then(() => ['{}'])])) as [string]
  const { url } = JSON.parse(line) as { readonly url?: string }
  if (url === undefined) throw new Error('the gateway did not start')
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      await exited
      if (folder === undefined) rmSync(data, { recursive: true, force: true })
    },
  }
}
