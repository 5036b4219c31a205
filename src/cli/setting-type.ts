import type { SettingSchema } from '../gateway/index.ts'

/** What values a setting takes, in words. */
export function settingType(schema: SettingSchema): string {
  const { type, anyOf, items, enum: values, const: one, additionalProperties: member } = schema
  if (one !== undefined) return `\`${String(one)}\``
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (anyOf) return [...new Set(anyOf.map(settingType))].join(' or ')
  if (type === 'array') return `list of ${items === undefined ? 'values' : pluralOf(settingType(items))}`
  if (type === 'object') return typeof member === 'object' ? namedType(member) : 'object'
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'whole number' : 'number'}${range(schema)}`
  return type === undefined ? 'any value' : (words[type] ?? type)
}

const words: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' }

function namedType(member: SettingSchema): string {
  const of = settingType(member)
  return of === 'any value' ? 'object' : `${pluralOf(of)} by name`
}

function pluralOf(type: string): string {
  return /^(?:text|object)$/.test(type) ? `${type}s` : type
}

/** A bound that only says what a number can hold at all is left out. */
function range({ minimum, exclusiveMinimum, maximum }: SettingSchema): string {
  const least = minimum ?? exclusiveMinimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least === undefined) return most === undefined ? '' : `, at most ${most}`
  if (most !== undefined) return `, ${least} to ${most}`
  return exclusiveMinimum === undefined ? `, ${least} or more` : `, above ${least}`
}
