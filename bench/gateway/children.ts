import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

const running: ChildProcess[] = []

export interface ChildOptions {
  readonly readyText?: string
  /** Of Node. */
  readonly flags?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts a process of its own, and waits until it says that it is ready. Rejects when it ends before; it may not end by itself later. */
export async function startChild(
  file: string,
  args: readonly string[],
  { readyText = 'ready', flags = [], variables = {} }: ChildOptions = {},
): Promise<ChildProcess> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [...flags, file, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(child)
  await new Promise<void>((done, failed) => {
    child.stdout?.on('data', (data: Buffer) => data.toString().includes(readyText) && done())
    child.on('exit', (code) => failed(new Error(`${file} ended with ${code}`)))
  })
  return child
}

/** Ends them all. */
export function endChildren(): void {
  for (const child of running) child.removeAllListeners('exit').kill()
}
