import type { Comment } from './model.ts'

/** Gives the link of a public name, or undefined for any other text. */
export type Linked = (name: string) => string | undefined

const special = /[&<>|*_[\]{}\\`~$:#!]/g

/** Text that Markdown and Vue read as nothing else. */
export function escaped(text: string): string {
  return text.replace(special, '\\$&')
}

/** Code that names a public type leads to it. */
function codeText(code: string, linked: Linked): string {
  const name = /^`([A-Z]\w+)`$/.exec(code)?.[1]
  const link = name === undefined ? undefined : linked(name)
  return link === undefined ? code : `[${code}](${link})`
}

const isBlock = (code: string): boolean => code.startsWith('```')

/** A docstring as Markdown; `<` is text in it. */
export function docText(comment: Comment | undefined, linked: Linked): string {
  const parts = (comment?.summary ?? []).map(({ kind, text }) =>
    kind === 'code' ? (isBlock(text) ? text : codeText(text, linked)) : text.replaceAll('<', '\\<'),
  )
  return parts.join('').trim()
}

/** The sentences of a docstring on one line, for a cell; its examples are left out. */
export function cellText(comment: Comment | undefined, linked: Linked): string {
  const summary = (comment?.summary ?? []).filter(({ kind, text }) => kind !== 'code' || !isBlock(text))
  return docText({ summary }, linked)
    .replaceAll('|', '\\|')
    .replace(/\n\s*[-*] /g, '<br>• ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The examples of a docstring. */
export function examplesOf(comment: Comment | undefined): readonly string[] {
  return (comment?.summary ?? []).flatMap(({ kind, text }) => (kind === 'code' && isBlock(text) ? [text] : []))
}

/** The value in force where a member is left out, as its sentence states it: "; 512 by default.", "`full` by default." */
export function usualValue(comment: Comment | undefined): string | undefined {
  const text = (comment?.summary ?? []).map((part) => part.text).join('')
  return /(?:^|[;.,:] ?)(`[^`]+`|\d[\d,.]*(?: [KMG]iB| (?:milli)?seconds?| minutes?| hours?| days?)?|true|false|none|no \w+) by default\b/i.exec(
    text,
  )?.[1]
}
