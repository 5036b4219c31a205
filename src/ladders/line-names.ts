import { nameWorths } from './line-worth.ts'

/** The names in the lines of a text and what each is worth where it stands, in little memory: much is remembered of long conversations. */
export interface LineNames {
  /** Each name once. */
  readonly names: readonly string[]
  /** Of each occurrence, line by line: the index of its name, and its worth. */
  readonly ids: Uint32Array
  readonly worths: Float64Array
  /** Where the occurrences of each line begin, and where the last ones end. */
  readonly starts: Uint32Array
}

export function lineNames(lines: readonly string[]): LineNames {
  const idOf = new Map<string, number>()
  const ids: number[] = []
  const worths: number[] = []
  const starts = new Uint32Array(lines.length + 1)
  lines.forEach((line, at) => {
    for (const { name, worth } of nameWorths(line)) {
      let id = idOf.get(name)
      if (id === undefined) {
        id = idOf.size
        idOf.set(name, id)
      }
      ids.push(id)
      worths.push(worth)
    }
    starts[at + 1] = ids.length
  })
  return { names: [...idOf.keys()], ids: new Uint32Array(ids), worths: new Float64Array(worths), starts }
}
