import type { ContentKind } from './content-kind.ts'

/** What a tool result says about its own success. */
export interface FailureReport {
  readonly failed: boolean
  /** As the result states it; absent where it does not. */
  readonly exitStatus?: number
  /** The line (from 0) that states the exit status. */
  readonly exitLine?: number
  /** Lines (from 0) that state an error, a failure or an exit other than 0; always shown. */
  readonly lines: readonly number[]
}

const prefixLength = 600

/** One pass over a whole text or line tells whether a closer look is worth it. */
const suspicious =
  /error|patch|hunk|fail|fatal|exception|traceback|panic|denied|not found|no such|abort|segmentation|killed|cannot|could not|unable|no changes made|no module|exit|returncode|not ok|critical|severe|[✕✗✘×●❌]|\bERR\b|refused|timed? ?out|conflict|usage:|invalid|rejected|warning: /i

/** Anchored forms in which tools state a failure; each is tried on the first 600 characters of a line. */
const failureForms: readonly RegExp[] = [
  /^\s*Traceback \(most recent call last\)/,
  /^(?:E {3,}|> +raise |Uncaught |Unhandled )/,
  /^(?:[A-Za-z_]\w*\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Timeout|DoesNotExist|Failure|Configured)(?::|\s*$)/,
  /^(?:FAILED|FAIL|ERROR)(?::| \(|\s+\S*(?:::|\.py\b|\.[jt]sx?\b|\/))/,
  /^ERROR\b/,
  /^=+ .*\b[1-9]\d* (?:failed|errors?)\b/,
  /^(?:Tests?|Test Files|Test Suites?|Suites?)\b:? .*\b[1-9]\d* failed\b/i,
  /^\s*(?:✕|✗|✘|×|❌|●|not ok\b|--- FAIL\b)/,
  /^\S.{0,200}\.\.\. ?(?:FAIL|ERROR)(?:ED)?\b/,
  /^(?:[\w./+-]{1,80}: ){0,3}(?:fatal|error|fatal error|internal error)(?:\[\w+\]| TS\d+| [A-Z]\w+)?: ?\S/i,
  /^\S{1,200}?(?:\(\d+,\d+\)|:\d+(?::\d+)?):? -? ?(?:fatal )?error\b/i,
  /^(?:npm|pnpm|yarn) (?:ERR!|error\b)/i,
  /^(?:\S{1,120}: ){1,4}(?:line \d+: )?.{0,200}(?:command not found|No such file or directory|Permission denied|Is a directory|Not a directory|not found|No module named \S+|cannot (?:open|access|find|stat)\b.*|can't \w+.*|Connection refused|unrecognized option.*|invalid option.*)\s*$/i,
  /^(?:sh|bash|zsh|\/bin\/\w+): /,
  /^(?:panic: |Segmentation fault|Bus error|Killed\s*$|Terminated\s*$|Aborted\b|Fatal |thread '[^']{0,80}' panicked)/,
  /^make(?:\[\d+\])?: \*\*\*/,
  /^(?:patch: \*{4} |\d+ out of \d+ hunks? (?:ignored|FAILED)|Reversed \(or previously applied\) patch|Sorry: \w+Error\b|== .{1,200} FAIL\s*$)/,
  /^(?:BUILD FAILED|Build failed|Compilation failed|CONFLICT \(|Merge conflict|Automatic merge failed|! \[(?:remote )?rejected\])/,
  /^(?:error|Error|ERROR)[ :!].{0,300}\S/,
  /^(?:Failed to|Could not|Unable to|Cannot|Can't|No changes made|Failure:|Command (?:failed|timed out|aborted)|Request failed|Invalid (?:arg|param|option|input|request|value|json|syntax)|Access denied)\b/i,
  /^\[?\d{4}-\d\d-\d\d[T ][\d:.,Z+-]{5,20}\]? .{0,60}\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b/,
  /^\s*"(?:isError|is_error)": ?true/,
  /^\s*\{?\s?"(?:error|errors|error_message|exception)": ?(?:"[^"\s]{1,60}\s|\{ ?"|\{$|\[ ?[{"]|\[$)/i,
  /^\s*\{?"(?:success|ok)": ?false\b/,
  /^\s*\{?"(?:status|state|conclusion)": ?"(?:error|failed|failure)"/i,
]

const harmless = /\b(?:0 (?:errors?|fail(?:ed|ures?)|warnings?)|no errors?|without errors?|errors?: ?0\b)/i

/** A field for errors that says there is none. */
const nothingStated =
  /^\s*(?:[\w./+-]{1,80}: ){0,3}errors?\s*[:=]\s*(?:\(?(?:none|null|nil|n\/a|no|empty)\)?|-{1,3}|""|''|\[\]|\{\})[\s.]*$/i

/** False where no line of a text states a failure or an exit: one look instead of one a line. */
export function mayState(text: string): boolean {
  return suspicious.test(text) || exitWords.test(text)
}

/** Whether a line states a failure by itself. */
export function statesFailure(line: string): boolean {
  const start = line.length > prefixLength ? line.slice(0, prefixLength) : line
  if (!suspicious.test(start)) return false
  if (!failureForms.some((form) => form.test(start)) || nothingStated.test(start)) return false
  return !harmless.test(start) || /\b[1-9]\d* (?:failed|errors?)\b/i.test(start)
}

const exitForms: readonly RegExp[] = [
  /^\s*<(?:returncode|exit_?code|exit_?status)>\s*(-?\d{1,10})\s*<\//i,
  /^\s*\[?(?:Command|Process|Program|Script)\b.{0,80}\b(?:exited|terminated|finished|failed) with (?:exit )?(?:code|status)[: ]+(-?\d{1,10})/i,
  /^\s*\[?exit(?:ed)?[ _-]?(?:code|status|with)?(?: code)?[:=]? *(-?\d{1,10})\b\]?[.\s]*$/i,
  /^\s*"?(?:returncode|return_?code|exit_?code|exit_?status)"?\s*[:=]\s*(-?\d{1,10})\b/i,
  /^make(?:\[\d+\])?: \*\*\* .*\bError (\d{1,10})\b/,
]

const exitWords = /exit|returncode|return_code/i

/** Whether a line states how a command ended. */
export function statesExit(line: string): boolean {
  const start = line.slice(0, prefixLength)
  return exitWords.test(start) && exitForms.some((form) => form.test(start))
}

interface Exit {
  readonly line: number
  readonly status: number
}

/** The exit status that a result states in its first or last lines. */
function findExit(lines: readonly string[]): Exit | undefined {
  const size = lines.length
  for (let index = 0; index < size; index++) {
    if (index === 4 && size > 12) index = size - 8
    const line = (lines[index] ?? '').slice(0, prefixLength)
    for (const form of exitForms) {
      const match = form.exec(line)
      if (match !== null) return { line: index, status: Number(match[1]) }
    }
  }
  return undefined
}

/** The line (from 0) that names the exception of a Python traceback that starts at `start`. */
function tracebackEnd(lines: readonly string[], start: number): number {
  const indent = /^\s*/.exec((lines[start] ?? '').slice(0, 200))?.[0] ?? ''
  const limit = Math.min(lines.length, start + 400)
  for (let index = start + 1; index < limit; index++) {
    const line = lines[index] ?? ''
    if (line.startsWith(`${indent} `) || line.trim() === '') continue
    return line.startsWith(indent) ? index : start
  }
  return start
}

function failureLines(lines: readonly string[]): number[] {
  const found: number[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (!statesFailure(line)) continue
    if (found.at(-1) !== index) found.push(index)
    if (line.includes('Traceback (most')) {
      const end = tracebackEnd(lines, index)
      if (end > index) found.push(end)
    }
  }
  return [...new Set(found)].toSorted((a, b) => a - b)
}

/** In these kinds a line that reads like a failure is most often somebody's text, so only a traceback fails the call. */
const quoting: ReadonlySet<ContentKind> = new Set(['source-code', 'search-results', 'diff'])

/**
 * Tells from a tool result's lines whether the call failed: by the exit status where one is stated, else by lines that
 * state a failure.
 */
export function detectFailure(lines: readonly string[], kind: ContentKind): FailureReport {
  const exit = findExit(lines)
  const found = failureLines(lines)
  if (exit === undefined) return { failed: found.length > 0 && !quoting.has(kind), lines: found }
  const failed = exit.status !== 0
  const stated = failed && !found.includes(exit.line) ? [exit.line, ...found].toSorted((a, b) => a - b) : found
  return { failed, exitStatus: exit.status, exitLine: exit.line, lines: stated }
}
