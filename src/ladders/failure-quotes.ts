import type { ContentKind } from './content-kind.ts'
import { isNotebook, isPrinted } from './notebook.ts'
import type { FailureRole } from './failure-role.ts'

/** In these kinds a line that reads like a failure is most often somebody's text. */
const quoting: ReadonlySet<ContentKind> = new Set(['source-code', 'search-results', 'diff'])

const sampled = 400
const fence = /^\s*(?:```|~~~(?!~))[\w+#.-]*\s*$/

/** Whether a text is written for readers: headings, fences, links. */
function isDocument(lines: readonly string[]): boolean {
  let headings = 0
  let fences = 0
  let links = 0
  for (let at = 0; at < Math.min(lines.length, sampled); at++) {
    const line = (lines[at] ?? '').slice(0, 300)
    if (/^#{1,6} [A-Z\d`]/.test(line)) headings++
    if (fence.test(line)) fences++
    if (/\[[^\]]{1,80}\]\([^)\s]{1,200}\)/.test(line)) links++
  }
  return headings >= 2 || fences >= 2 || (headings >= 1 && links >= 2)
}

/** Of a document the first lines that are not empty may still say that there was none to show. */
const firstLines = 2

/**
 * The roles of the lines that speak for themselves. Prose, code, search results and diffs that show an error have not failed:
 * of them only stays what nobody writes but a tool; of a document only how it begins.
 */
export function withoutQuotes(
  lines: readonly string[],
  roles: readonly (FailureRole | undefined)[],
  kind: ContentKind,
): readonly (FailureRole | undefined)[] {
  if (kind !== 'test-output' && kind !== 'build-output' && isDocument(lines)) return ownOfDocument(lines, roles, kind)
  if (kind === 'html' || isPage(lines)) return ownOfPage(lines, roles)
  if (!quoting.has(kind)) return roles
  if (isNotebook(lines)) return roles.map((role, at) => (isPrinted(lines, at) ? role : undefined))
  const tail = tailOf(lines, roles)
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*<\/?\w+>/.test(line.slice(0, 80)))
  const isOwn = (role: FailureRole | undefined, at: number): boolean => {
    if (role === undefined || role === 'certain') return role !== undefined
    if (at >= tail && kind !== 'diff') return true
    if (kind === 'search-results') return /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]/.test(lines[at] ?? '')
    if (role === 'message' && at === first && reported.test(lines[at] ?? '')) return true
    return kind === 'source-code' && (role !== 'message' || isTraced(lines, at))
  }
  return roles.map((role, at) => (isOwn(role, at) ? role : undefined))
}

/** An exception as a program that ends by it prints it. */
const raised = /^(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception): \S/
/** In these such a line is somebody's text even so. */
const notRaised: ReadonlySet<ContentKind> = new Set([...quoting, 'directory-listing'])

/** The first lines of a document, and exceptions outside its fences: scripts print headings, too. */
function ownOfDocument(
  lines: readonly string[],
  roles: readonly (FailureRole | undefined)[],
  kind: ContentKind,
): readonly (FailureRole | undefined)[] {
  let left = firstLines
  let fenced = false
  return roles.map((role, at) => {
    const line = lines[at] ?? ''
    if (fence.test(line)) fenced = !fenced
    if (line.trim() === '') return undefined
    left--
    return left >= 0 || (!fenced && !notRaised.has(kind) && raised.test(line)) ? role : undefined
  })
}

function isPage(lines: readonly string[]): boolean {
  return /^\s*<(?:!doctype html|html)[\s>]/i.test((lines.find((line) => line.trim() !== '') ?? '').slice(0, 200))
}

/** Of a page its title and its status, and exceptions outside of what it shows as code: a command may fail behind it. */
function ownOfPage(
  lines: readonly string[],
  roles: readonly (FailureRole | undefined)[],
): readonly (FailureRole | undefined)[] {
  let quoted = false
  return roles.map((role, at) => {
    const line = lines[at] ?? ''
    const isOwn = isErrorPage(line) || (!quoted && raised.test(line))
    const opened = line.lastIndexOf('<pre')
    const closed = line.lastIndexOf('</pre>')
    if (opened !== closed) quoted = opened > closed
    return isOwn ? role : undefined
  })
}

function isErrorPage(line: string): boolean {
  return /<title>|HTTP\//.test(line)
}

/** What a program says before anything else; code begins otherwise. */
const reported = /^(?:[\w.+-]{1,40}: )?(?:fatal |internal )?error: \S+ \S+ \S/

const tracedWithin = 10

/** Whether the frames of a stack follow: an error that was thrown, and not one that is written down. */
function isTraced(lines: readonly string[], at: number): boolean {
  return lines
    .slice(at + 1, at + 1 + tracedWithin)
    .some((line) => /^\s+at \S.{0,400}[:(]\d+(?::\d+)?\)?\s*$/.test(line.slice(0, 500)))
}

/** The first line of the run of failures with which a text ends: what was run after code was shown has failed. */
function tailOf(lines: readonly string[], roles: readonly (FailureRole | undefined)[]): number {
  let at = lines.length
  while (at > 0 && (roles[at - 1] !== undefined || /^\s*(?:<\/\w+>)?\s*$/.test((lines[at - 1] ?? '').slice(0, 80))))
    at--
  return at === 0 ? lines.length : at
}
