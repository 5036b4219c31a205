import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** What a program of this repository prints; its errors go to the terminal. Rejects where it fails. */
export async function printedBy([file = '', ...options]: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  if (code !== 0) throw new Error(`node ${[file, ...options].join(' ')} ended with ${code ?? 'a signal'}.`)
  return printed
}
