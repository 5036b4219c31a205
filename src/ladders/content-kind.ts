import type { ContentKind } from './content-kinds.ts'
import { atLeast, haveForm } from './count-lines.ts'
import { isBlob } from './kind-blob.ts'
import { isCode, isNumberedView, withoutNumbers } from './kind-code.ts'
import { isConfig } from './kind-config.ts'
import { isJson } from './kind-json.ts'
import { isMail } from './kind-mail.ts'
import { kindByMarks } from './kind-marks.ts'
import { sampleOf } from './kind-sample.ts'
import { isNumberedSearch } from './kind-search.ts'
import { kindByShares } from './kind-shares.ts'
import { isTable } from './kind-tables.ts'

export type { ContentKind }

/**
 * What kind of text this is, from a bounded sample of its lines; deterministic, linear, never throws. What a harness puts around
 * a command's output and the controls of a terminal say nothing about it. The tool's name is a hint where the text alone
 * leaves it open.
 */
export function contentKind(text: string, toolName?: string): ContentKind {
  const sample = sampleOf(text)
  const { lines, head } = sample
  if (lines.length === 0) return 'prose'
  if (isJson(sample)) return 'json'
  if (shebang.test(lines[0] ?? '')) return 'source-code'
  const marked = kindByMarks(lines)
  if (marked !== undefined) return marked
  if (isMail(head)) return 'mail'
  if (isBlob(sample)) return 'blob'
  return kindByShares(lines) ?? kindByShape(lines) ?? kindByTool(toolName) ?? 'prose'
}

/** How a script begins, in a numbered view, too. */
const shebang = /^(?:\s{0,12}1[\t:→|]\s?)?#! ?\/\S/

/** By what the lines have in common. */
function kindByShape(lines: readonly string[]): ContentKind | undefined {
  if (isNumberedSearch(lines)) return 'search-results'
  if (isNumberedView(lines)) return isCode(lines) ? 'source-code' : kindByShape(withoutNumbers(lines))
  if (isNames(lines)) return 'directory-listing'
  if (isConfig(lines)) return 'config'
  if (areTags(lines, /^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/i, 0.7)) return 'html'
  if (isTable(lines)) return 'table'
  if (isCode(lines)) return 'source-code'
  return areTags(lines, /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/i, 0.5) ? 'html' : undefined
}

function areTags(lines: readonly string[], form: RegExp, share: number): boolean {
  return atLeast(lines, Math.floor(share * lines.length) + 1, (line) => form.test(line))
}

const listedName = /^[\w@.+~#-]{1,120}[/*@]?$/
const listedFolder = /^\.{0,2}[\w@.+~# /-]{0,200}:$/
const listedFile = /^[\w@+~#-][\w@.+~#-]{0,120}\.[A-Za-z]\w{0,7}\*?$/

/** One name a line, some of them of files, as `ls` lists them; below the names of folders, as `ls -R` does. */
function isNames(lines: readonly string[]): boolean {
  const isFolder = (line: string): boolean => line.endsWith(':') && listedFolder.test(line)
  if (lines.length < 3 || !atLeast(lines, 0.9 * lines.length, (line) => listedName.test(line) || isFolder(line)))
    return false
  return haveForm(lines, 0.25, listedFile) || atLeast(lines, Math.max(2, 0.2 * lines.length), isFolder)
}

const toolHints: readonly (readonly [RegExp, ContentKind])[] = [
  [/grep|^rg$|search_files|find_in/i, 'search-results'],
  [/^ls$|^glob$|list_dir|list_files|^find$|^tree$/i, 'directory-listing'],
  [/diff/i, 'diff'],
]

function kindByTool(toolName: string | undefined): ContentKind | undefined {
  if (toolName === undefined) return undefined
  return toolHints.find(([form]) => form.test(toolName))?.[1]
}
