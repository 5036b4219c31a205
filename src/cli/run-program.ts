import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { PrehendError } from '../core/index.ts'
import { errnoOf } from './listening.ts'

/** Runs a program in this one's terminal, with these variables beside ours; gives its exit code as a shell would. */
export function runProgram(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...variables } })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    // A terminal interrupts the program by itself, and whether that ends it is the program's affair.
    const pass = (signal: NodeJS.Signals): void => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of signals) process.on(signal, pass)
    const release = (): void => {
      for (const signal of signals) process.off(signal, pass)
    }
    child.on('error', (error) => {
      release()
      failed(cannotStart(program, error))
    })
    child.on('exit', (code, signal) => {
      release()
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

function cannotStart(program: string, cause: Error): PrehendError {
  const errno = errnoOf(cause)
  const remedy =
    errno === 'ENOENT'
      ? 'Install it, or check its name and that its folder is in PATH.'
      : 'Check its name, and that it can be run from here.'
  const message = `${program} cannot be started (${errno}). ${remedy}`
  return new PrehendError('not-found', message, { what: program, remedy }, cause)
}
