import { decodeValue, isJsonObject, stringAt } from '../../core/index.ts'
import type { Item, ItemKind } from '../../core/index.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { markedOwner } from '../reasoning/owner.ts'
import { wordsOfReasoning, wordsOfResult } from '../words-of-block.ts'

/** What an item says to providers that do not know its form; what is sealed says nothing. */
export function saidWords({ tree, node }: Field, kind: ItemKind): Pick<Item, 'words' | 'reasonedBy'> {
  const sealed = stringAt(tree, node, 'encrypted_content') ?? ''
  const owner = markedOwner(sealed)
  if (sealed !== '' && owner === undefined) return {}
  const value = decodeValue(tree, node)
  const words = kind === 'reasoning' && isJsonObject(value) ? wordsOfReasoning(value) : wordsOfResult(value)
  return { ...optional('words', words), ...optional('reasonedBy', owner) }
}
