import { expect, test } from 'vitest'
import { suspicious, suspiciousAsWritten } from './failure-role.ts'
import { mayBeSuspicious } from './failure-screen.ts'

const inEitherCase =
  "error|patch|hunk|fail|fatal|exception|traceback|panic|denied|not found|no such|abort|segmentation|killed|cannot|could not|unable|can't|no changes made|no module|no rule|not ok|critical|severe|refused|time out|timeout|timed out|timedout|conflict|invalid|rejected|undefined|unterminated|unexpected|a missing|is down|not permitted|no space left|resource busy|already in use|broken pipe|unreachable|out of memory|halted|did not appear|attempt to|emerg]|alert]"

const asWritten = [
  ...'✕✗✘×●❌✖━',
  'E: x',
  'e: x',
  'a\nE: x',
  'EPIC',
  'x EABC',
  'ERR_X',
  'HTTP',
  '___ ',
  ': E123',
  ': AB123',
  ': ABCD123',
  'ORA-',
  '** (',
  'Interrupt',
  'Iteration',
  'Exit:',
  'Returned:',
  'NotReady',
  'NotFound',
  'Configured',
  'DoesNotExist',
  'Fault',
  'Level 17',
  'BackOff',
  'OOM',
  'éOOM',
  'at x line 7',
  '    1234) ',
  '1) ',
  'a\n1) ',
  'TASK [',
  'RUN ',
  'checking file',
  'expression #',
  ': line 1',
  'line 12:',
  'stdout -',
  '> [',
  '\u00e9> [',
  'a-b: x:1',
  'a\nb: é:1',
  'vet: ',
  '"level"',
  '<title>',
  '"status":4040',
  '"status_code": 503',
  '"statusCode":400',
  '"ok":false',
  '"success": false',
]

const either = inEitherCase.split('|').flatMap((text) => [text, text.toUpperCase(), `à${text}à`, `x\n${text}`])

/** The alternatives of a form that has groups, and none in another. */
function alternativesOf({ source, flags }: RegExp): readonly RegExp[] {
  return source.split(/\|(?!(?:\\.|[^()\\])*\))/).map((alternative) => new RegExp(alternative, flags))
}

test('each alternative of what makes a line suspicious has an example here', () => {
  const without = (form: RegExp, texts: readonly string[]): readonly RegExp[] =>
    alternativesOf(form).filter((alternative) => !texts.some((text) => alternative.test(text)))
  expect(without(suspicious, either)).toEqual([])
  expect(without(suspiciousAsWritten, asWritten)).toEqual([])
  expect(alternativesOf(suspiciousAsWritten).length).toBeGreaterThan(40)
})

test('whatever is suspicious passes the screen', () => {
  expect(either.filter((text) => !suspicious.test(text) || !mayBeSuspicious(text))).toEqual([])
  expect(asWritten.filter((text) => !suspiciousAsWritten.test(text) || !mayBeSuspicious(text))).toEqual([])
})

test('most of what people and programs write does not', () => {
  const lines = [
    'const total = items.map((item) => item.price)',
    'The quick brown fox jumps over the lazy dog.',
    '',
    '| a | b |',
    'λ',
  ]
  expect(lines.filter(mayBeSuspicious)).toEqual([])
})
