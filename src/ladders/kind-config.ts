import { atLeast, haveForm } from './count-lines.ts'

const comment = /^\s*[#;]/
const section = /^\s*\[\[?[\w.:"'@/ -]+\]\]?$/
const setting = /^\s*(?:export )?[\w.:"'-]+ ?= ?\S*/
const plainSetting = /^(?:export )?[A-Za-z_][\w.-]*=/
const dottedSetting = /^[a-z][\w-]*(?:\.[\w-]+)+ ?= ?/
const directive = /^\s*(?:#.*|[a-z][a-z0-9_-]+(?:\s+[^\s=(:{][^={}()]*)?\s?[;{]|\})$/

/** Settings of a program: sections and keys, environment, YAML, directives in blocks. */
export function isConfig(lines: readonly string[]): boolean {
  if (lines.length < 2) return false
  const bare = lines.filter((line) => !comment.test(line))
  return isSections(lines) || isSettings(bare) || isYaml(bare) || isDirectives(lines)
}

const codeEnd = /[;{(]$/

function isSections(lines: readonly string[]): boolean {
  if (!lines.some((line) => section.test(line))) return false
  const isOwn = (line: string): boolean => section.test(line) || setting.test(line) || comment.test(line)
  return atLeast(lines, 0.7 * lines.length, isOwn) && haveForm(lines, 0.3, setting) && !haveForm(lines, 0.1, codeEnd)
}

/** `NAME=value`, or dotted names; a program's `name = value` is neither. */
function isSettings(bare: readonly string[]): boolean {
  if (bare.length < 2 || !(haveForm(bare, 0.8, plainSetting) || haveForm(bare, 0.8, dottedSetting))) return false
  return !haveForm(bare, 0.1, codeEnd)
}

const keyed = /^\s*(?:- )?(?!\d+:)[\w.$/-]+:(?: \S|$)/

/** Keys before colons in most lines, or in some where the first line has one and hardly any line ends like code. */
function isYaml(bare: readonly string[]): boolean {
  const own = bare.filter((line) => line !== '---')
  if (own.length < 3 || haveForm(own, 0.2, /[;{(,]$/)) return false
  const begins = /^(?:- )?(?!\d+:)[\w.-]+:(?: \S|$)/.test(own[0] ?? '')
  const mostly = atLeast(own, Math.floor(0.5 * own.length) + 1, (line) => keyed.test(line))
  if (!mostly && !(begins && haveForm(own, 0.15, keyed))) return false
  return !isTalk(own) && (mostly || !haveForm(own, 0.1, /[;{)]$/))
}

const said = /^(?<who>\p{L}[\p{L}\p{N} .'-]{0,40}): \S+ \S/u
const leastSaid = 4

/** What some people say by turns: settings have no name at the margin again and again. */
function isTalk(lines: readonly string[]): boolean {
  const speakers = lines.flatMap((line) => said.exec(line.slice(0, 120))?.groups?.['who'] ?? [])
  return (
    speakers.length >= leastSaid &&
    speakers.length >= 0.5 * lines.length &&
    new Set(speakers).size * 3 <= speakers.length
  )
}

/** `name value;` and `name value {`, as servers are configured. */
function isDirectives(lines: readonly string[]): boolean {
  return lines.some((line) => line.endsWith('{')) && haveForm(lines, 0.9, directive)
}
