import type { JsonObject } from '../../../core/index.ts'
import { textOf } from '../read-json.ts'
import { numberAt } from './keyword.ts'
import { patternText } from './pattern-text.ts'

/** Longer ones are not made. */
const longest = 100_000

/**
 * The shortest text that fits, or the nth besides it. A pattern that `patternText` cannot read is left out of account.
 * Undefined where no text fits.
 */
export function smallestText(schema: JsonObject, nth: number): string | undefined {
  const least = numberAt(schema, 'minLength') ?? 0
  const most = numberAt(schema, 'maxLength') ?? Infinity
  if (least > Math.min(most, longest)) return undefined
  const pattern = textOf(schema['pattern'])
  const candidates = [
    pattern === undefined ? undefined : patternText(pattern, { least, nth }),
    formats[textOf(schema['format']) ?? '']?.(nth),
    plainText(least, nth),
  ]
  return candidates.find((text) => text !== undefined && text.length >= least && text.length <= most)
}

function plainText(least: number, nth: number): string {
  return nth === 0 ? 'x'.repeat(least) : String(nth).padStart(least, 'x')
}

const dayMs = 86_400_000
const dateOf = (nth: number): string => new Date(nth * dayMs).toISOString().slice(0, 10)

const formats: Readonly<Record<string, (nth: number) => string>> = {
  'date-time': (nth) => `${dateOf(nth)}T00:00:00Z`,
  'date': dateOf,
  'time': (nth) => `${new Date(nth * 1000).toISOString().slice(11, 19)}Z`,
  'duration': (nth) => `PT${nth}S`,
  'uuid': (nth) => `00000000-0000-4000-8000-${nth.toString(16).padStart(12, '0')}`,
  'email': (nth) => `user${nth === 0 ? '' : nth}@example.com`,
  'idn-email': (nth) => `user${nth === 0 ? '' : nth}@example.com`,
  'uri': (nth) => `https://example.com/${nth === 0 ? '' : nth}`,
  'uri-reference': (nth) => `/${nth === 0 ? '' : nth}`,
  'url': (nth) => `https://example.com/${nth === 0 ? '' : nth}`,
  'hostname': (nth) => `${nth === 0 ? '' : `host${nth}.`}example.com`,
  'ipv4': (nth) => `192.0.2.${nth}`,
  'ipv6': (nth) => `2001:db8::${nth.toString(16)}`,
  'json-string': (nth) => String(nth),
}
