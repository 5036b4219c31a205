import type { ContentKind } from './content-kinds.ts'
import { atLeast } from './count-lines.ts'
import { eitherOf } from './either-of.ts'

/** Forms that most lines of a kind have. */
interface Share {
  readonly kind: ContentKind
  readonly forms: readonly RegExp[]
  /** Share of the sampled lines that must match. */
  readonly share: number
}

/** What stands between the records of a log: frames and causes of an exception. */
const frame = /^\s{1,16}(?:at |File "|\.\.\. \d+ more)|^Caused by: |^[\w.$]{1,120}(?:Exception|Error)\b/

const name = String.raw`[\w@.~+#-]+`

/** Most specific first. */
const shares: readonly Share[] = [
  {
    kind: 'blob',
    forms: [/^[0-9a-f]{6,16}:? {1,4}(?:[0-9a-f]{2,8} {1,3}){3}/i, /^[0-7]{7}(?: +[0-7]{6}){2}/],
    share: 0.8,
  },
  {
    kind: 'directory-listing',
    forms: [
      /^total \d+$|^[bcdlps-][rwxsStT-]{9}[.+@]?\s+(?:\d|\S+\/\S+\s+\d)/,
      /^\s{0,12}\d{1,15}\s{1,8}\d{4}-\d\d-\d\d \d\d:\d\d\s{1,8}\S/,
      /^[\w.+-]{1,80}\/\S{1,80} \S{1,80} (?:amd64|arm64|armhf|i386|all)\b/,
      /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?\s{1,16}(?:\d{1,15}|PRE|<DIR>) \S+$/,
      /^\S.{0,120}?\s\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s{1,16}\d{1,15}$/,
      /^\d\d[./]\d\d[./]\d{4}\s{1,4}\d\d:\d\d(?: [AP]M)?\s{1,16}(?:<DIR>|[\d.,]{1,20})\s/,
    ],
    share: 0.6,
  },
  {
    kind: 'source-code',
    forms: [/^\^?[0-9a-f]{7,40} (?:\S{1,120} +)?\(.{1,80}\d{4}-\d\d-\d\d.{0,30}\d\)/],
    share: 0.8,
  },
  {
    kind: 'log',
    forms: [
      /^(?:\S{1,60} +\| )?[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d/,
      /^[[(]?\d\d:\d\d:\d\d\b/,
      /^\[?(?:[A-Z]\w{2} )?[A-Z]\w{2} +\d{1,2} \d\d:\d\d:\d\d\b/,
      /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ /,
      /^\[ {0,6}\d{1,7}\.\d{3,6}\] /,
      /^\S{1,80} \S{1,40} \S{1,40} \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d/,
      /^(?:time|ts|timestamp|at|level|lvl|msg)=\S/,
      /^\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|NOTICE)\b/,
      /^[0-9a-f]{7,40} \S/,
      /^(?:\[pid +\d+\] )?[a-z]\w{1,30}\(.*(?:\) += (?:-?\d|\?)|<unfinished)/,
      frame,
    ],
    share: 0.5,
  },
  {
    kind: 'build-output',
    forms: [/^[\w@./~+-]{1,160}\.\w{1,8}:\d+:\d+: \S/],
    share: 0.4,
  },
  {
    kind: 'search-results',
    forms: [
      new RegExp(String.raw`^(?:(?:${name}/|/)(?:${name}/)*${name}|${name}\.\w{1,8})[:-]\d+[:-]`),
      /^\/?(?:[\w@.~+-]+\/)+[\w@.~+-]+\.\w{1,8}:\s*\S/,
      /^[\w@.~+-]{1,120}\.[A-Za-z]{1,4}:(?:\S|\s{2})/,
      /^--$/,
    ],
    share: 0.6,
  },
  {
    kind: 'directory-listing',
    forms: [
      /^(?:[\w@.~+#-]*[/\\])+[\w@.~+#-]*(?: \([^)]*\))?:?$/,
      /^[\w@.~+#-]{1,80}\.\w{1,6}$/,
      /^\s{0,12}[\d.,]{1,15}[KMGTB]?i?\s{1,8}(?:[\w@.~+#-]*\/)[\w@./~+#-]*$/,
      /^\s{0,12}\d{1,15}\s{1,8}(?:total|[\w@.~+#-]{1,80}\.\w{1,8}|\.)$/,
    ],
    share: 0.7,
  },
  { kind: 'directory-listing', forms: [/^[\s│|]*(?:[├└]──|[|`+\\]--)/, /^[\w .@+-]+\/$/], share: 0.5 },
  { kind: 'directory-listing', forms: [/^(?:[MADRCUT?!][ MADRCUT?!]| [MADRCUT]) \S/, /^## \S+$/], share: 0.8 },
  { kind: 'diff', forms: [/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/, /^[<>] /, /^[<>]$/, /^---$/], share: 0.9 },
  { kind: 'diff', forms: [/^ \S.{0,200} \| +(?:\d+(?: [+-]*)?$|Bin )/, /^ \d+ files? changed,/], share: 0.8 },
]

/** Most lines have none of all the forms. */
const anyForm = eitherOf(shares.flatMap(({ forms }) => forms))
const leastShare = Math.min(...shares.map(({ share }) => share))

/** The kind whose forms most lines of a sample have. */
export function kindByShares(lines: readonly string[]): ContentKind | undefined {
  if (!haveForms(lines, anyForm, Math.max(1, leastShare * lines.length))) return undefined
  return shares.find(({ forms, share }) => haveForms(lines, forms, Math.max(1, share * lines.length)))?.kind
}

/** Whether so many lines have one of the forms. */
function haveForms(lines: readonly string[], forms: readonly RegExp[], wanted: number): boolean {
  return atLeast(lines, wanted, (line) => forms.some((form) => form.test(line)))
}
