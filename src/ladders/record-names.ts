import { openersOf } from './structure.ts'
import type { TextLines } from './text-lines.ts'

/** Keys whose value tells a record from its like, most telling first. */
const namingKeys = [
  'id',
  'name',
  'key',
  'number',
  'sku',
  'code',
  'uid',
  'uuid',
  'title',
  'path',
  'file',
  'url',
  'email',
  'slug',
]
const namingForm = /^\s*"([\w$-]{1,60})"\s*:\s*(?:"[^"]|[-\d])/
const namingEnd = /(?:_|-)(?:id|name|key|number|code)$|[a-z](?:Id|ID|Name|Key|Number|Code)$/
const opensRecord = /^\s*[[{]{0,4}\{$/
/** Members that hold what a record is called in place of the record itself. */
const opensHead = /^\s*"(?:meta|metadata|info|head|header|attributes|properties|summary)"\s*:\s*\{$/i

/** With the lines of JSON that name the records which kept lines stand in: a value says little without whose it is. */
export function withRecordNames({ lines, depths, kind }: TextLines, keep: Uint8Array): Uint8Array {
  if (kind !== 'json') return keep
  const openers = openersOf(depths)
  const names = recordNames(lines, openers)
  if (names.size === 0) return keep
  const shown = Uint8Array.from(keep)
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] !== 1) continue
    for (let record = openers[index] ?? -1; record !== -1; record = openers[record] ?? -1) {
      const name = names.get(record)
      if (name !== undefined) shown[name] = 1
    }
  }
  return shown
}

/** The line that names each record, by the line that opens it. */
function recordNames(lines: readonly string[], openers: Int32Array): ReadonlyMap<number, number> {
  const found = new Map<number, { readonly rank: number; readonly line: number }>()
  lines.forEach((line, index) => {
    const own = rankOf(line)
    if (own === undefined) return
    const parent = openers[index] ?? -1
    const isHead = opensHead.test(lines[parent] ?? '')
    const record = isHead ? (openers[parent] ?? -1) : parent
    if (!opensRecord.test(lines[record] ?? '')) return
    const rank = isHead ? own + 2 * namingKeys.length : own
    const best = found.get(record)
    if (best === undefined || rank < best.rank) found.set(record, { rank, line: index })
  })
  return new Map([...found].map(([record, { line }]) => [record, line]))
}

function rankOf(line: string): number | undefined {
  const key = namingForm.exec(line.slice(0, 200))?.[1]
  if (key === undefined) return undefined
  const rank = namingKeys.indexOf(key.toLowerCase())
  if (rank !== -1) return rank
  return namingEnd.test(key) ? namingKeys.length : undefined
}
