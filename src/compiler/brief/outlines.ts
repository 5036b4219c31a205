import { definitionsIn } from './definitions.ts'
import type { FileWork } from './file-work.ts'
import { harmless } from './harmless.ts'
import type { Room } from './room.ts'
import { gap } from './views.ts'

/** Imports, definitions and headings of files that were read, the last one read first. */
export function outlinesOf(works: readonly FileWork[], shown: ReadonlySet<string>, room: Room): readonly string[] {
  const parts: string[] = []
  for (const work of works.toReversed()) {
    if (room.left < leastTokens) break
    const lines = shown.has(work.path) ? [] : outline(work)
    for (let size = lines.length; size > 1; size = Math.floor(size * 0.6)) {
      const text = `### ${work.path}, as read up to step ${work.model.seen}\n${lines.slice(0, size).join('\n')}`
      if (!room.take(text)) continue
      parts.push(text)
      break
    }
  }
  return parts
}

const leastTokens = 40
/** Lines after which the number of the next one is told. */
const numberedEach = 15

function outline({ path, model }: FileWork): readonly string[] {
  const lines: string[] = []
  for (const run of model.runs) {
    const defines = definitionsIn(path, run.rows)
    let told = -numberedEach
    run.rows.forEach(({ text }, at) => {
      if (defines[at] !== true) return
      if (at - told >= numberedEach) {
        lines.push(gap(run, at))
        told = at
      }
      lines.push(harmless(text))
    })
  }
  return lines
}
