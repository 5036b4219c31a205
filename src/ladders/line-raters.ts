import type { ContentKind } from './content-kinds.ts'

/** Rates one line after another; a rater may remember what it has seen. */
type LineRater = (line: string, index: number) => number

interface Rule {
  readonly form: RegExp
  readonly value: number
}

function byRules(rules: readonly Rule[], otherwise: number): () => LineRater {
  return () => (line) => rules.find(({ form }) => form.test(line))?.value ?? otherwise
}

/** Lines that differ only in numbers count as one; each repetition is worth less. */
function byNovelty(rate: () => LineRater): () => LineRater {
  return () => {
    const own = rate()
    const seen = new Map<string, number>()
    return (line, index) => {
      const template = line.slice(0, 120).replace(/[0-9a-f]*\d[0-9a-f]*/gi, '#')
      const times = seen.get(template) ?? 0
      seen.set(template, times + 1)
      return own(line, index) / (1 + times)
    }
  }
}

const number = String.raw`^\s*(?:\d{1,7}(?:[:\t→|-]| {2}))?\s*`

const trivial: Rule = { form: /^[\s\d:→|-]*[)\]}>;,({["'`]*$/, value: 0.004 }

const code: readonly Rule[] = [
  trivial,
  {
    form: new RegExp(
      `${number}(?:(?:export|default|public|private|protected|static|abstract|async|final|pub|inline|override|declare) +){0,5}(?:class|def|function\\*?|fn|func|interface|type|enum|struct|trait|impl|module|namespace|record)\\b`,
    ),
    value: 0.75,
  },
  {
    form: new RegExp(`${number}(?:(?:public|private|protected|static|async|readonly|get|set) +){1,4}\\w+\\s*[(<:=]`),
    value: 0.7,
  },
  { form: new RegExp(`${number}(?:import|from|#include|use|require|package|using)\\b`), value: 0.55 },
  { form: new RegExp(`${number}(?://|#|\\*|/\\*|"""|''')`), value: 0.06 },
  { form: new RegExp(`${number}(?:[\\w.]+ *[:+|-]?=|(?:export )?(?:const|let|var) )`), value: 0.55 },
  { form: new RegExp(`${number}@?[\\w.]+\\(`), value: 0.55 },
  { form: new RegExp(`${number}(?:raise|throw|return|yield|assert|except|catch)\\b`), value: 0.35 },
]

/** Lines between triple quotes are documentation, which is rarely needed again. */
function codeRater(): LineRater {
  const own = byRules(code, 0.35)()
  let quote = ''
  return (line, index) => {
    const inside = quote !== ''
    for (const match of line.matchAll(/"""|'''/g)) {
      if (quote === '') quote = match[0]
      else if (quote === match[0]) quote = ''
    }
    return inside ? 0.05 : own(line, index)
  }
}

/** Matching lines above all; the lines around them as the code that they are. */
function searchRater(): LineRater {
  const around = codeRater()
  return (line, index) => {
    if (line === '--') return 0.02
    const context = /^(?:\S{1,200}?-)?\d+-/.exec(line)
    return context === null ? 0.6 : 0.7 * around(line.slice(context[0].length), index)
  }
}

const diff: readonly Rule[] = [
  { form: /^(?:diff |--- |\+\+\+ |rename |new file|deleted file|Binary files)/, value: 0.9 },
  { form: /^@@ /, value: 0.7 },
  { form: /^[+-][\s)\]};,]*$/, value: 0.1 },
  { form: /^[+-]/, value: 0.7 },
  { form: /^index /, value: 0.02 },
]

const listing: readonly Rule[] = [
  { form: /(?:__pycache__|node_modules|\.pyc$|\.git(?:$|\/)|\.DS_Store|\.map$|egg-info)/, value: 0.03 },
  { form: /^total \d+|\s\.{1,2}$/, value: 0.03 },
]

const test: readonly Rule[] = [
  {
    form: /^=+ .* =+$|^Ran \d+ tests?|^(?:Tests?|Test Suites|Test Files|Suites)\b.*\d|^test result:|^OK\b|^\d+ (?:passed|failed)/,
    value: 0.95,
  },
  { form: /^_{3,} .* _{3,}$|^-{3,} .* -{3,}$/, value: 0.8 },
  { form: /^(?:> |E )/, value: 0.9 },
  { form: /^\S+:\d+: /, value: 0.8 },
  { form: /(?:\bPASSED\b|\.\.\. ?ok$|^\s*[✓✔√]|^ok \d+|--- PASS)/, value: 0.1 },
  { form: /\b(?:SKIPPED|xfail|skipped)\b/, value: 0.12 },
  { form: /warning/i, value: 0.2 },
]

const build: readonly Rule[] = [
  { form: /\bwarning\b/i, value: 0.45 },
  {
    form: /^\s*(?:Requirement already|Collecting|Downloading|Using cached|━|Preparing |Installing build|Getting requirements|Checking if build)/,
    value: 0.04,
  },
  { form: /^(?:copying|creating|adding|removing|running|writing|reading) /, value: 0.04 },
  { form: /^(?:Successfully|Finished|Built|Done|added \d+|up to date)/i, value: 0.8 },
  { form: /^(?:>|\$) /, value: 0.5 },
]

const log: readonly Rule[] = [
  trivial,
  { form: /\bWARN(?:ING)?\b/, value: 0.6 },
  { form: /\b(?:DEBUG|TRACE)\b/, value: 0.12 },
]

const json: readonly Rule[] = [
  { form: /^\s*[[\]{}(),"]*\s*$/, value: 0.01 },
  { form: /^\s*"[^"]{1,80}"\s*:\s*(?:null|\[\]|\{\}|""|[[{]),?\s*$/, value: 0.03 },
  {
    form: /^\s*[{[,]*"(?:id|name|title|key|uri|url|path|file|status|state|code|type|error|message|total|count|isError|success|[\w-]*_?(?:id|name|url|path|key|number|date))"\s*:/i,
    value: 0.7,
  },
  { form: /^\s*[{[,]*"(?:description|summary|body|html|raw|abstract|annotations|_meta)"\s*:/i, value: 0.2 },
  { form: /^\s*"[^"]{1,80}"\s*:/, value: 0.45 },
]

const config: readonly Rule[] = [
  trivial,
  { form: /^\s*[#;]/, value: 0.1 },
  { form: /^\s*\[/, value: 0.8 },
  { form: /^\s*(?:- )?(?:name|id|image|host|port|path|url|kind|version)\b/i, value: 0.65 },
]

const html: readonly Rule[] = [
  { form: /^\s*(?:<\/?[^<>]{0,400}>\s*){1,20}$/, value: 0.03 },
  { form: /<(?:script|style|svg|path|meta|link)\b|^\s*[.#@]?[\w-]+ ?\{|[;}]\s*$/i, value: 0.03 },
  { form: /<(?:title|h[1-6])\b/i, value: 0.8 },
  { form: /<(?:a|button|input|form|label|option|th|td|li)\b/i, value: 0.4 },
]

const prose: readonly Rule[] = [
  trivial,
  { form: /^#{1,6} |^[=-]{3,}$/, value: 0.6 },
  { form: /^\s*(?:- )?\w*(?:name|title|url|path|id|ID|URL|file)s?: \S/, value: 0.65 },
  { form: /^\s*[\w -]{1,40}: \S(?!.{0,200}[.!?]$)/, value: 0.42 },
  { form: /^\s*(?:[-*•]|\d{1,4}[.)]) \S/, value: 0.42 },
]

const table: () => LineRater = () => (_line, index) => (index < 2 ? 0.9 : 0.4)

/** A fresh rater per text, by kind. */
export const lineRaters: { readonly [Kind in ContentKind]: () => LineRater } = {
  'json': byRules(json, 0.3),
  table,
  'log': byNovelty(byRules(log, 0.35)),
  'test-output': byNovelty(byRules(test, 0.3)),
  'build-output': byNovelty(byRules(build, 0.3)),
  'diff': byRules(diff, 0.15),
  'search-results': searchRater,
  'directory-listing': byRules(listing, 0.4),
  'source-code': codeRater,
  'config': byRules(config, 0.35),
  'html': byRules(html, 0.35),
  'mail': byRules(prose, 0.3),
  'blob': byRules([], 0.02),
  'prose': byRules(prose, 0.3),
}
