import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Io } from './io.ts'

/** A home for each test file. A name with the process id is not enough: process ids come back. */
const home = mkdtempSync(join(tmpdir(), 'prehend-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

export interface FakeIo extends Io {
  readonly written: { out: string; err: string }
  interrupt(): void
}

export interface FakeIoOptions {
  readonly runProgram?: Io['runProgram']
  readonly environment?: Io['environment']
  readonly input?: string
  readonly errIsTerminal?: boolean
  readonly columns?: number
}

const noPrograms: Io['runProgram'] = (program) => Promise.reject(new Error(`${program} is not run in this test`))

/** An io for tests: nothing of this process is touched. */
export function fakeIo({
  environment = {},
  input = '',
  errIsTerminal = false,
  columns,
  runProgram = noPrograms,
}: FakeIoOptions = {}): FakeIo {
  const interruption = new AbortController()
  const written = { out: '', err: '' }
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    outIsTerminal: false,
    errIsTerminal,
    columns,
    color: false,
    // Nothing of the user's either.
    environment: { XDG_DATA_HOME: home, ...environment },
    interrupted: interruption.signal,
    interrupt: () => interruption.abort('SIGINT'),
    whenHungUp: () => undefined,
    readInput: () => Promise.resolve(input),
    runProgram,
    ownsProcess: false,
  }
}
