import type { Item, ItemKind, Role } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { largestTokens } from './limits.ts'
import { validateMedia } from './validate-media.ts'

const kinds: Readonly<Record<ItemKind, true>> = {
  'instruction': true,
  'text': true,
  'tool-call': true,
  'tool-result': true,
  'tool-schema': true,
  'reasoning': true,
  'evidence': true,
  'memory': true,
  'media': true,
  'opaque': true,
}

const roles: Readonly<Record<Role, true>> = { system: true, developer: true, user: true, assistant: true, tool: true }

/** Throws `invalid-input` that names the first field of the item that is not what it should be. */
export function validateItem(item: Item, index: number): void {
  const at = `items[${index}]`
  if (typeof item !== 'object' || item === null) throw invalidInput(at, 'is not an object', 'Give an item.')
  if (typeof item.id !== 'string' || item.id === '')
    throw invalidInput(`${at}.id`, 'is not a name', 'Give every item a non-empty id.')
  if (typeof item.section !== 'string' || item.section === '')
    throw invalidInput(`${at}.section`, 'is not a name', 'Name the section the item belongs to.')
  if (item.section === 'reserve')
    throw invalidInput(`${at}.section`, 'is kept free for the reply', 'Put the item into another section.')
  if (!Object.hasOwn(kinds, item.kind))
    throw invalidInput(`${at}.kind`, 'is unknown', `Use one of ${Object.keys(kinds).join(', ')}.`)
  if (typeof item.text !== 'string')
    throw invalidInput(`${at}.text`, 'is not a text', 'Give the text, or an empty one with tokens.')
  if (item.role !== undefined && !Object.hasOwn(roles, item.role))
    throw invalidInput(`${at}.role`, 'is unknown', `Use one of ${Object.keys(roles).join(', ')}.`)
  validateNumbers(item, at)
  validateLabels(item, at)
  if (item.media !== undefined) validateMedia(item.media, `${at}.media`)
}

function validateNumbers({ tokens, birthTurn, scores, provenance }: Item, at: string): void {
  if (tokens !== undefined && !isCount(tokens))
    throw invalidInput(`${at}.tokens`, 'is not a count of tokens', `Give a whole number from 0 to ${largestTokens}.`)
  if (birthTurn !== undefined && !isCount(birthTurn))
    throw invalidInput(`${at}.birthTurn`, 'is not a turn', 'Give a whole number from 0.')
  for (const name of ['relevance', 'authority', 'freshness', 'utility'] as const) {
    const score = scores?.[name]
    if (score !== undefined && !isShare(score))
      throw invalidInput(`${at}.scores.${name}`, 'is not a score', 'Give a number from 0 to 1, or leave it out.')
  }
  for (const name of ['authorityScore', 'relevanceScore'] as const) {
    const score = provenance?.[name]
    if (score !== undefined && !isShare(score))
      throw invalidInput(`${at}.provenance.${name}`, 'is not a score', 'Give a number from 0 to 1, or leave it out.')
  }
}

function validateLabels({ group, provenance, section }: Item, at: string): void {
  if (group !== undefined && (typeof group !== 'string' || group === ''))
    throw invalidInput(`${at}.group`, 'is not a name', 'Name the group, or leave it out.')
  // P-013, P-079: evidence that nobody answers for is refused.
  if (section === 'evidence' && provenance === undefined)
    throw invalidInput(`${at}.provenance`, 'is missing', 'Say where the evidence comes from: at least a sourceId.')
  if (provenance !== undefined && (typeof provenance.sourceId !== 'string' || provenance.sourceId === ''))
    throw invalidInput(`${at}.provenance.sourceId`, 'is not a name', 'Name the source.')
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestTokens
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}
