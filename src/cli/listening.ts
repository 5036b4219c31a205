import { PrehendError, invalidInput } from '../core/index.ts'

const problems: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  EADDRINUSE: ['is taken by another program', 'Stop that program, or choose another port; 0 takes a free one'],
  EACCES: ['may not be used by this user', 'Choose one above 1023'],
  EADDRNOTAVAIL: ['is not an address of this machine', 'Use 127.0.0.1'],
  ENOTFOUND: ['is not an address of this machine', 'Use 127.0.0.1'],
}

/** Opens a server; a port or address that cannot be had becomes an error that says so. */
export async function listening<Server>(port: number, open: () => Promise<Server>): Promise<Server> {
  try {
    return await open()
  } catch (error) {
    const problem = problems[errnoOf(error)]
    if (problem === undefined) throw error
    const isAddress = problem[0].includes('address')
    const said = isAddress ? problem[0] : `${port} ${problem[0]}`
    const { code, message, data } = invalidInput(isAddress ? '--host' : '--port', said, problem[1])
    throw new PrehendError(code, message, data, error)
  }
}

/** The system's code of an error, such as EADDRINUSE; empty for others. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
