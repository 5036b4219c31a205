const comment = /^\s*[#;]/
const section = /^\s*\[\[?[\w.:"'@/ -]+\]\]?$/
const setting = /^\s*(?:export )?[\w.:"'-]+ ?= ?\S*/
const plainSetting = /^(?:export )?[A-Za-z_][\w.-]*=/
const dottedSetting = /^[a-z][\w-]*(?:\.[\w-]+)+ ?= ?/
const directive = /^\s*(?:#.*|[a-z][a-z0-9_-]+(?:\s+[^\s=(:{][^={}()]*)?\s?[;{]|\})$/

/** Settings of a program: sections and keys, environment, YAML, directives in blocks. */
export function isConfig(lines: readonly string[]): boolean {
  if (lines.length < 2) return false
  return isSections(lines) || isSettings(lines) || isYaml(lines) || isDirectives(lines)
}

function share(lines: readonly string[], form: RegExp): number {
  return lines.filter((line) => form.test(line)).length / lines.length
}

function isSections(lines: readonly string[]): boolean {
  if (!lines.some((line) => section.test(line))) return false
  const own = lines.filter((line) => section.test(line) || setting.test(line) || comment.test(line)).length
  return own >= 0.7 * lines.length && share(lines, setting) >= 0.3 && share(lines, /[;{(]$/) < 0.1
}

/** `NAME=value`, or dotted names; a program's `name = value` is neither. */
function isSettings(lines: readonly string[]): boolean {
  const own = lines.filter((line) => !comment.test(line))
  return (
    own.length >= 2 &&
    (share(own, plainSetting) >= 0.8 || share(own, dottedSetting) >= 0.8) &&
    share(own, /[;{(]$/) < 0.1
  )
}

/** Keys before colons in most lines, or in some where the first line has one and hardly any line ends like code. */
function isYaml(lines: readonly string[]): boolean {
  const own = lines.filter((line) => !comment.test(line) && line !== '---')
  if (own.length < 3 || share(own, /[;{(,]$/) >= 0.2 || isTalk(own)) return false
  const keyed = share(own, /^\s*(?:- )?(?!\d+:)[\w.$/-]+:(?: \S|$)/)
  if (keyed > 0.5) return true
  return /^(?:- )?(?!\d+:)[\w.-]+:(?: \S|$)/.test(own[0] ?? '') && keyed >= 0.15 && share(own, /[;{)]$/) < 0.1
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
  return lines.some((line) => line.endsWith('{')) && share(lines, directive) >= 0.9
}
