import type { Item } from '../../core/index.ts'
import type { ContentKind, FactReader } from '../../ladders/index.ts'

/** The kinds that coding runs consist of, which lines of little worth were measured on. */
const codingKinds: ReadonlySet<ContentKind> = new Set([
  'source-code',
  'search-results',
  'directory-listing',
  'diff',
  'test-output',
  'build-output',
  'log',
])

/** Whether a text is of a kind that coding runs consist of. */
export function isOfCoding(facts: FactReader, item: Item | undefined): boolean {
  return codingKinds.has(facts.ofText(item?.text ?? '').text.kind)
}
