import type { ContentKind } from './content-kinds.ts'
import { eitherOf } from './either-of.ts'
import { snapshotLine } from './line-said.ts'

/** Forms of lines that settle the kind of a text by themselves. */
interface Mark {
  readonly kind: ContentKind
  readonly forms: readonly RegExp[]
}

/** What programs print once and nobody else does, most telling first. */
const marks: readonly Mark[] = [
  {
    kind: 'diff',
    forms: [
      /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+|\*{15}$)/,
      /^\s{0,8}[-+~] (?:resource|data|module) "|^Plan: \d+ to add, \d+ to change/,
    ],
  },
  {
    kind: 'test-output',
    forms: [
      /^=+ (?:test session starts|FAILURES|ERRORS|short test summary)|^collected \d+ items|^\d+ (?:passed|failed)\b.* in [\d.]+s/,
      /^Ran \d+ tests? in|^(?:FAIL|ERROR): \w+ \(|^\S.{0,160}? \.\.\. (?:ok|FAIL|ERROR|skipped)\b/,
      /^\s{0,16}--- (?:PASS|FAIL|SKIP): |^=== RUN |^(?:ok|FAIL) {0,4}\t\S/,
      /^running \d+ tests?$|^test result: /,
      /^Test Suites: |^\s*Test Files {1,4}\d|^\s*Tests {1,6}\d+ (?:passed|failed)|^(?:PASS|FAIL) +\S+\.\w+/,
      /^\s{0,40}(?:✓|✔|√|✕|✗|×) \S/,
      /^(?:not )?ok \d+ |^TAP version|^\s{0,8}\d+ (?:passing|failing)\b/,
      /^\d+ examples?, \d+ failures?|^OK \(\d+ tests?|^(?:\[\w+\] )?Tests(?: run)?: \d+, /,
      /^FAILED \S+::|^\S+::\S+ (?:PASSED|FAILED|ERROR|SKIPPED)|^Testing against /,
    ],
  },
  {
    kind: 'build-output',
    forms: [
      /^\[\s*\d+%\] |^-- (?:The |Detecting|Configuring|Check|Build files|Found|Looking)|^make(?:\[\d+\])?: |^(?:gcc|g\+\+|cc|clang(?:\+\+)?) -/,
      /^\s{0,12}(?:Compiling|Checking|Downloaded|Installing) \S+ v\d|^\s{0,12}Compiling |^\s{1,12}Finished `/,
      /^\s{0,16}-->\s\S+:\d+:\d+|^\s{0,16}[,╭][-─]\[\S+:\d+:\d+\]/,
      /^[^\s(]{1,160}\(\d+,\d+\): (?:error|warning) [A-Z]{2,8}\d+|^\S{1,200}:\d+:\d+ - (?:error|warning) /,
      /^\S{1,200}:\d+(?::\d+)?: (?:fatal )?(?:error|warning|note)\b|^> tsc\b/,
      /^\s{1,16}\d+:\d+ {1,8}(?:error|warning) {1,8}\S|^✖ \d+ problems?|^Found \d+ errors? in \d+ files?/,
      /^(?:Requirement already satisfied|Collecting \S|Successfully (?:installed|built)|running (?:build|install|egg_info))/,
      /^(?:npm|pnpm|yarn) (?:warn|ERR!|error|notice)|^added \d+ packages|^> \S+@\S+ \w+/,
      /^\[(?:INFO|ERROR)\] (?:BUILD |Scanning for projects|-+<)|^> Task :|^BUILD (?:SUCCESSFUL|FAILED)/,
      /^#\d+ (?:\[|DONE|CACHED|ERROR|\d+\.\d+ )|^Step \d+\/\d+ : /,
      /^(?:Get|Hit|Ign):\d+ https?:|^Reading package lists|^(?:Setting up|Unpacking) \S+ \(/,
      /^(?:\S{0,120}\/)?(?:[\w-]+-)?ld(?:\.\w+)?: \S|: undefined reference to [`'"‘]|^collect2: |^(?:clang|gcc|g\+\+|cc|c\+\+): (?:fatal )?error: /,
      /^(?:[\w.:/ -]{0,60}[:|] ?)?\s{0,3}\d{1,3}%[| [].{0,80}(?:[#=━\u2588-\u258f]{3}|\d\/\d)/,
    ],
  },
  {
    kind: 'log',
    forms: [
      /^Traceback \(most recent call last\)|^panic: |^goroutine \d+ \[|^Exception in thread "/,
      /^\s{1,8}at (?:async )?[\w$.<> ]{0,120} ?\(?[^\s()]{1,200}:\d+(?::\d+)?\)?$/,
      /^stack backtrace:$|^\s{1,4}\d{1,3}: +0x[0-9a-f]{6,16} - \S|^\s{8,40}at \/rustc\//i,
      /^commit [0-9a-f]{7,64}(?: \(.{0,200}\))?$/,
    ],
  },
  {
    kind: 'html',
    forms: [/^\s{0,40}<(?:!doctype html|html[\s>]|head>|body[\s>]|\?xml )/i, snapshotLine],
  },
  { kind: 'table', forms: [/^\*{10,80} \d+\. row \*{10,80}$|^-\[ RECORD \d+ \]/] },
  { kind: 'blob', forms: [/^-----BEGIN [A-Z0-9 ]{3,60}-----$|^data:[\w/+.-]{1,80};base64,/] },
  {
    kind: 'directory-listing',
    forms: [/^(?:On branch \S|Changes (?:not staged for commit|to be committed):|Untracked files:$)/],
  },
]

/** Most lines have none of all the forms. */
const anyMark = eitherOf(marks.flatMap(({ forms }) => forms))

/** The kind that some line of a sample settles. */
export function kindByMarks(lines: readonly string[]): ContentKind | undefined {
  if (!lines.some((line) => anyMark.some((form) => form.test(line)))) return undefined
  return marks.find(({ forms }) => lines.some((line) => forms.some((form) => form.test(line))))?.kind
}
