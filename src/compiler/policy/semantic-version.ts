import { invalidInput } from '../../core/index.ts'

const numberPart = /^(?:0|[1-9]\d{0,8})$/
const labels = /^[0-9A-Za-z.-]{1,100}$/

/** `1.2.0`, with a pre-release or a build behind it or not. */
export function isSemantic(version: string): boolean {
  const [release, build] = splitOnce(version, '+')
  const [numbers, preRelease] = splitOnce(release, '-')
  const parts = numbers.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => numberPart.test(part)) &&
    [preRelease, build].every((label) => label === undefined || labels.test(label))
  )
}

function splitOnce(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Throws `invalid-input` that names the field. */
export function requireVersion(version: string, field: string): void {
  if (!isSemantic(version)) throw invalidInput(field, 'is not a semantic version', 'Give one such as 1.0.0.')
}
