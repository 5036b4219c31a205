import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { textOf } from '../read-json.ts'

const textKeywords = ['const', 'pattern', 'format']
const numberKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]
const otherKeywords = ['uniqueItems', 'prefixItems', 'default', 'discriminator', 'examples', 'deprecated']
const names = [...textKeywords, ...numberKeywords, ...otherKeywords].join('|')

/**
 * The keywords that Anthropic's SDKs move from a schema to the end of its description, as `{minItems: 2, maxItems: 3}`,
 * because the provider does not enforce them. A model reads them there.
 */
export function describedKeywords({ description, type }: JsonObject): JsonObject {
  const [, told] = /(?:^|\n\n)\{([^\n]+)\}$/.exec(textOf(description) ?? '') ?? []
  if (told === undefined) return {}
  const found: Record<string, JsonValue> = {}
  const marks = [...told.matchAll(new RegExp(`(?:^|, )(${names}): `, 'g'))]
  for (const [index, mark] of marks.entries()) {
    const [before, keyword = ''] = mark
    const value = valueOf(keyword, told.slice(mark.index + before.length, marks[index + 1]?.index), type)
    if (value !== undefined) found[keyword] = value
  }
  return found
}

/** The SDK for Python writes texts without quotation marks. */
function valueOf(keyword: string, written: string, type: JsonValue | undefined): JsonValue | undefined {
  if (numberKeywords.includes(keyword)) return Number.isFinite(Number(written)) ? Number(written) : undefined
  if (keyword === 'uniqueItems') return /^true$/i.test(written)
  if (!textKeywords.includes(keyword)) return undefined
  if (keyword === 'const' && type !== 'string') return literals[written] ?? Number(written)
  try {
    return JSON.parse(written) as JsonValue
  } catch {
    return written
  }
}

const literals: Readonly<Record<string, JsonValue>> = { true: true, True: true, false: false, False: false }
