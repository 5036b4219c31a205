import { spawn } from 'node:child_process'
import { PrehendError } from '../../core/index.ts'

export interface KeyCommand {
  readonly command: readonly string[]
  /** The last argument. */
  readonly action: 'wrap' | 'unwrap'
  readonly input: Buffer
  readonly limitMs: number
}

const mostOutputBytes = 64 * 1024

/**
 * Runs a program without a shell: base64 on standard input, base64 on standard output. What it writes to standard error is dropped, because it
 * may hold a secret. Rejects with `unavailable` where the program fails, says nothing or takes too long.
 */
export async function runKeyCommand({ command, action, input, limitMs }: KeyCommand): Promise<Buffer> {
  const [program = '', ...rest] = command
  const child = spawn(program, [...rest, action], { stdio: ['pipe', 'pipe', 'ignore'] })
  let output = ''
  const ended = new Promise<string>((resolve) => {
    const limit = setTimeout(() => resolve(`took more than ${limitMs} ms`), limitMs)
    const end = (problem: string): void => {
      clearTimeout(limit)
      resolve(problem)
    }
    child.once('error', (error) => end(`cannot be started (${'code' in error ? String(error.code) : error.name})`))
    child.once('close', (code, signal) => end(code === 0 ? '' : `ended with ${signal ?? code}`))
    child.stdout.setEncoding('latin1').on('data', (piece: string) => {
      output += piece
      if (output.length > mostOutputBytes) end('wrote more than a key')
    })
  })
  child.stdin.on('error', () => undefined).end(input.toString('base64'))
  const problem = await ended
  if (problem !== '') {
    child.kill('SIGKILL')
    // A program that this one has started may hold the other end.
    child.stdout.destroy()
    throw failed(problem)
  }
  const bytes = Buffer.from(output.trim(), 'base64')
  if (bytes.length === 0) throw failed('wrote no base64')
  return bytes
}

function failed(problem: string): PrehendError<'unavailable'> {
  const remedy = 'Run it by hand with `wrap` as its last argument and base64 on standard input.'
  return new PrehendError('unavailable', `The program of providerKeys.command ${problem}. ${remedy}`, { remedy })
}
