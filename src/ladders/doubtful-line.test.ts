import { describe, expect, it } from 'vitest'
import { doubtfulLine } from './doubtful-line.ts'

describe('a line that reads like trouble', () => {
  it.each([
    'error: rustup could not choose a version of cargo to run',
    'ld: cannot find -lssl',
    'mount: /mnt: permission denied.',
    'kubectl: The connection to the server was refused',
    'app.py:12: invalid choice: 7',
    'worker[3]: killed by signal 9',
  ])('%s', (line) => {
    expect(doubtfulLine(['starting', line, 'done'])).toBe(line)
  })

  it.each([
    'import error from "./error.ts"',
    'lint: no errors found',
    '  raise ValueError("missing")',
    'const missing: string[] = [',
    '# Error handling: what cannot be read',
    'All tests passed',
    `log: error ${'x'.repeat(300)}`,
  ])('is not: %s', (line) => {
    expect(doubtfulLine([line])).toBeUndefined()
  })
})
