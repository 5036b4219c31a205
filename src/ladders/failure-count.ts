import type { FailureBlock, Reading } from './failure-reading.ts'

const failing =
  /\b(\d{1,6}) (?:failed|failing|failures?|errors?|error\(s\)|fail|FAILED TESTS?|tests? failed)\b|\b(?:failures|errors|failed)[:=]\s{0,8}(\d{1,6})|^# fail (\d{1,6})/gi

/** How many failures there are: as the result itself counts them at its end, else as many as it states. */
export function countFailures({ lines, roles }: Reading, blocks: readonly FailureBlock[]): number {
  for (let at = lines.length - 1; at >= 0; at--) {
    if (roles[at] !== 'summary') continue
    const told = toldIn(lines[at] ?? '')
    if (told > 0) return told
  }
  return blocks.length
}

/** `3 failed, 1 passed, 1 error` are four. */
function toldIn(line: string): number {
  let sum = 0
  for (const [, before, after, tap] of line.matchAll(failing)) sum += Number(before ?? after ?? tap)
  return sum
}
