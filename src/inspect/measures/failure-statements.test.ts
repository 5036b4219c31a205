import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { failureStatements, statesOne } from './failure-statements.ts'

const result = (text: string, more: Partial<Item> = {}): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  text,
  ...more,
})
const call = (toolName: string, input: object): Item => ({
  id: 'c',
  section: 'history',
  kind: 'tool-call',
  toolName,
  text: JSON.stringify(input),
})

describe('statements of failure', () => {
  it.each([
    ['Traceback (most recent call last):\n  File "a.py", line 1\nre.error: bad escape', ['re.error: bad escape']],
    ['ok\nbinascii.Error: Incorrect padding', ['binascii.Error: Incorrect padding']],
    ['\u001b[31merror: failed to solve\u001b[0m\n', ['error: failed to solve']],
    ['src/a.ts(3,7): error TS2322: no', ['src/a.ts(3,7): error TS2322: no']],
    ['curl: (7) Failed to connect', ['curl: (7) Failed to connect']],
    ['--- FAIL: TestTotal (0.00s)\nFAIL', ['--- FAIL: TestTotal (0.00s)']],
    ['Found 0 warnings and 3 errors.', ['Found 0 warnings and 3 errors.']],
    [
      '{\n"content": [{"text": "Error: DDG detected an anomaly"}],\n"isError": true\n}',
      ['Error: DDG detected an anomaly'],
    ],
    ['all 12 tests passed\n0 errors', []],
  ] as const)('%j', (text, statements) => {
    expect(failureStatements(result(text), undefined)).toEqual(statements)
  })

  it('what a file, a search or a page quotes has not happened', () => {
    const quoted = result('TypeError: x is not a function')
    for (const reading of [
      call('bash', { command: 'cat errors.md' }),
      call('bash', { command: 'cd /repo && grep -rn TypeError src' }),
      call('read_file', { path: 'errors.md' }),
    ])
      expect(failureStatements(quoted, reading)).toEqual([])
    expect(failureStatements(quoted, call('bash', { command: 'node a.js' }))).toHaveLength(1)
    const failed = result('<returncode>1</returncode>\ncat: errors.md: No such file or directory')
    expect(failureStatements(failed, call('bash', { command: 'cat errors.md' }))).toHaveLength(1)
  })

  it('one that still stands, coloured or not, is enough', () => {
    expect(statesOne('[lines 1-4 folded]\n\u001b[31merror: failed\u001b[0m', ['error: failed', 'error: other'])).toBe(
      true,
    )
    expect(statesOne('[Tool: bash - ok, 40 tokens]', ['error: failed'])).toBe(false)
  })
})
