/** Numbers that a view puts before the lines of a file. */
const numbered = /^\s{0,12}\d{1,7}(?:[:\t→|-]| {2}|$)/

const words = [
  String.raw`import |from [\w.]+ import|export |def |class |async |function |const |let |var |return\b|if[ (]|elif |else\b|for[ (]|while[ (]|try\b|except\b|raise |with `,
  String.raw`public |private |protected |static |fn |pub\b|use |mod |impl\b|match |func |package |struct |enum |interface |trait |type \w+ ?=|namespace |template ?<|using `,
  String.raw`self\.|this\.|await |assert |print\(|yield |throw |switch |case |defer |typedef |virtual |override |extends |module |require\b|attr_\w+ |end\b|elsif |unless |begin\b`,
  String.raw`echo |fi\b|done\b|esac\b|then\b|do\b|set -|local |source |exit\b|cd |sudo |\w+=\$`,
  String.raw`CREATE |ALTER |DROP |INSERT |SELECT\b|FROM |WHERE |JOIN |LEFT |INNER |GROUP BY|ORDER BY|HAVING |LIMIT |UPDATE |DELETE |VALUES\b|BEGIN\b|COMMIT\b|WITH \w+ AS|AND |REFERENCES |PRIMARY KEY`,
  String.raw`RUN |COPY |ENV |WORKDIR |EXPOSE |ENTRYPOINT |CMD |ARG |USER |ADD |HEALTHCHECK |LABEL |VOLUME `,
]
const start = new RegExp(
  String.raw`^\s*(?:${words.join('|')}|@\w|#include|#define|#\[|#!|#pragma|\/\/|\/\*|\*\/|\* |"""|-- \w|[})\]])`,
)
const end = /(?:[{};:,([\\]|\)|=>|\]|\bpass|"""|\*\/|\bdo(?: \|[\w, ]+\|)?)$/
const rule = /^\s*(?:[.#:@&*>~+]?[\w-][\w .#:>~+*[\]="'()-]*(?:,|\{)|--?[\w-]+: .*;|[a-z-]{2,40}: [^{}]*;)$/
const recipe = /^(?:[\w./%$()-]+(?: [\w./%$()-]+)* ?:(?!=)(?: .*)?|\t\S.*|\.PHONY:.*|\w+ ?[:?+]?= ?.*)$/
/** What a program says of its work, whatever values it ends with. */
const told = /^[A-Z][\w ]{0,40}: \S/

/** Of fewer lines, how they end tells nothing. */
const fewLines = 5

/** Most lines begin or end like lines of a program; of a numbered view fewer need to. */
export function isCode(lines: readonly string[]): boolean {
  const bare = lines.map((line) => line.replace(numbered, ''))
  const isView = lines.filter((line) => numbered.test(line)).length > 0.7 * lines.length
  if (lines.length < fewLines && !bare.some((line) => start.test(line) || rule.test(line))) return false
  let score = 0
  for (const line of bare) {
    if (start.test(line) || rule.test(line)) score += 1
    else if (told.test(line)) continue
    else if (end.test(line) && /[=({[]|^\s/.test(line)) score += 0.7
    else if (/^(?: {4}|\t)/.test(line)) score += 0.3
  }
  return score >= (isView ? 0.2 : 0.45) * lines.length || isMakefile(lines)
}

/** Whether lines are a numbered view of a file: numbers that count on by one. */
export function isNumberedView(lines: readonly string[]): boolean {
  if (!numbered.test(lines[0] ?? '')) return false
  const numbers = lines.map((line) => (numbered.test(line) ? Number.parseInt(line, 10) : Number.NaN))
  if (numbers.filter((value) => !Number.isNaN(value)).length < 0.9 * lines.length) return false
  let ahead = 0
  for (let index = 1; index < numbers.length; index++) {
    const step = (numbers[index] ?? 0) - (numbers[index - 1] ?? 0)
    // Blank lines are not in the sample, and numbers of stops far apart jump.
    if (step === 1 || step === 2) ahead++
  }
  return ahead >= 0.6 * (numbers.length - 1)
}

/** The lines of a numbered view as they stand in the file. */
export function withoutNumbers(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(numbered, ''))
}

function isMakefile(lines: readonly string[]): boolean {
  return (
    lines.filter((line) => line.startsWith('\t')).length >= 0.2 * lines.length &&
    lines.filter((line) => recipe.test(line) || line.startsWith('#')).length >= 0.9 * lines.length
  )
}
