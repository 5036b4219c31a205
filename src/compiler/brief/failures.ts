import { plainLine } from '../../ladders/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import type { Item } from '../../core/index.ts'
import type { BriefInput } from './brief-input.ts'
import type { GoneCall } from './gone-calls.ts'

/** A failure that a result states. */
export interface Failure {
  /** The line that names it. */
  readonly line: string
  /** The step that did the same later and did not fail. */
  readonly curedAt?: number
}

const longest = 160
const shortLine = 100
/** A result of a tool that shows something: so few lines say that it could not. */
const fewLines = 3

/** The failures of the calls that are gone, by their step. */
export function failuresOf(calls: readonly GoneCall[], input: Pick<BriefInput, 'facts'>): ReadonlyMap<number, Failure> {
  const found = new Map<number, Failure>()
  const curedBy = new Map<string, number>()
  for (const call of calls.toReversed()) {
    if (call.isHidden || call.result === undefined) continue
    const line = failureLine(call, input.facts)
    const key = runKey(call.call)
    if (line === undefined) curedBy.set(key, call.step)
    else if (call.isGone) {
      const curedAt = curedBy.get(key)
      found.set(call.step, { line, ...(curedAt !== undefined && { curedAt }) })
    }
  }
  return found
}

/** Tools that show what stands somewhere: what they quote has not happened. */
const reader = /^(?:read|view|open|cat|search|grep|glob|find|list|ls|fetch|get)/i
const readingCommand =
  /^(?:cd \S+ (?:&&|;) )?(?:cat|sed -n|head|tail|less|nl|grep|rg|ag|find|ls|awk|git (?:log|show|diff|blame|grep))\b/

/** The line by which a result says what has failed; undefined where nothing has. */
export function failureLine({ call, result }: GoneCall, facts: FactReader): string | undefined {
  if (result === undefined) return undefined
  const { text, failure } = facts.ofText(result.text)
  const report = failure()
  const { blocks, summary, exitStatus } = report
  const isQuoting = isReading(call) && text.lines.length > fewLines
  const hasFailed = result.status === 'error' || (exitStatus ?? 0) !== 0 || (report.failed && !isQuoting)
  if (!hasFailed && (isReading(call) || (blocks.length === 0 && summary === undefined))) return undefined
  const telling = [...blocks.filter(({ detailed }) => detailed), ...blocks].map(({ message }) => message)
  const titles = blocks.flatMap(({ title }) => title ?? [])
  const lines = [...telling, ...(summary === undefined ? [] : [summary]), ...titles]
    .map((at) => plainLine(text.lines[at] ?? '').trim())
    .filter((line) => /\w{3}/.test(line))
  const line = lines.find((each) => !wrapping.test(each)) ?? lines[0]
  if (line !== undefined) {
    const plainly = named.test(line) ? undefined : lines.find((each) => each !== line && named.test(each))
    return plainly === undefined ? cut(line) : `${cut(line)}; ${plainly.slice(0, shortLine).toWellFormed()}`
  }
  // A search that finds nothing ends like this, too.
  if (isReading(call) && exitStatus === 1) return undefined
  const said = exitStatus === undefined ? text.lines.find((each) => each.trim() !== '') : `exit ${exitStatus}`
  const command = commandOf(call.text)?.replaceAll(/\s+/g, ' ').trim()
  return cut(command === undefined ? (said?.trim() ?? 'failed') : `${said?.trim() ?? 'failed'}: ${command}`)
}

/** Lines that anybody takes for the statement of a failure. */
const named =
  /^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b|^(?:error|fatal|panic)\b|\berror [A-Z]*\d|\d: error: |^(?:--- )?FAIL|^not ok \d|^E {2,}\S|^Found .*\berrors?\b|(?:No such file or directory|not found|Permission denied)$/i

/** What runs a program says only that it has failed. */
const wrapping = /^npm (?:ERR!|error) /

function cut(line: string): string {
  return line.slice(0, longest).toWellFormed()
}

function isReading(call: Item): boolean {
  if (reader.test(call.toolName ?? '')) return true
  const command = commandOf(call.text)
  return command !== undefined && readingCommand.test(command.trim())
}

function commandOf(json: string): string | undefined {
  const literal = /"(?:command|cmd|script)"\s*:\s*("(?:[^"\\]|\\[\s\S])*")/.exec(json)?.[1]
  if (literal === undefined) return undefined
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}

/** What only shortens what a command prints is no other command. */
const trimming = /\s*(?:2>&1|\|\s*(?:head|tail|grep|tee)\b[^|&;]*|2>\s*\/dev\/null)/g

/** The same for calls that try the same. */
function runKey({ toolName = '', text }: Item): string {
  const command = commandOf(text)
  if (command !== undefined) return `$ ${command.replaceAll(trimming, '').replaceAll(/\s+/g, ' ').trim()}`
  const path = /"(?:file_?path|path|filename|file)"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text)?.[1]
  return path === undefined ? `${toolName} ${text}` : `${toolName} of ${path}`
}
