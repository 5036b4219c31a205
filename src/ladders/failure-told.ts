import type { ContentKind } from './content-kinds.ts'

/** How lines begin that a process has logged: with the time, or with a level in a field. */
const logged: readonly RegExp[] = [
  /^\W{0,3}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d/,
  /^\W{0,3}\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d/,
  /^\S{1,80} \S{1,60} \S{1,60} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S/,
  /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d/,
  /^\s{0,4}(?:time|ts|timestamp|level)=/,
  /^\{.{0,400}"(?:level|severity|lvl|log\.level|levelname)":/i,
]

const states =
  '(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|CreateContainerConfigError|RunContainerError)'

/** What an orchestrator says of the state of what it runs. */
const state = new RegExp(`(?:\\s|^)${states}\\b|^\\s*(?:\\d{1,6}[smhd]\\w{0,6} {1,20})?Warning {2,}\\w`)

/** The same in a document that lists what runs. */
const stateInDocument = new RegExp(`"(?:reason|phase|status|state)":\\s?"${states}"`)

/** The lines of a document by which something that runs has failed. */
export function toldStates(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, at) => (stateInDocument.test(line) ? [at] : []))
}

/**
 * Whether the lines of a text that state failures tell of something that failed elsewhere or before: entries of a log, rows of a table,
 * the states of things. Whoever asked for them got what was asked for, unless a line between them says that it failed.
 */
export function tellOfOthers(stating: readonly string[], lines: readonly string[], kind: ContentKind): boolean {
  if (stating.length === 0) return false
  if (kind === 'table' || isLog(lines)) return true
  return stating.every(isTold) && !lines.some((line) => saysFailed(line) && !isTold(line))
}

/** Whether a text begins and ends with entries of a log: traces between them are of what was logged. */
function isLog(lines: readonly string[]): boolean {
  const said = (line: string): boolean => line.trim() !== ''
  const [first = '', last = ''] = [lines.find(said), lines.findLast(said)]
  return isLogged(first) && isLogged(last)
}

function saysFailed(line: string): boolean {
  return line.length < 400 && /^\S.*\bfail(?:ed|ure)\W{0,3}$/.test(line)
}

function isTold(line: string): boolean {
  return state.test(line.slice(0, 600)) || isLogged(line)
}

function isLogged(line: string): boolean {
  const start = line.slice(0, 600)
  return logged.some((form) => form.test(start))
}
