import type { Section } from '../../core/index.ts'

export interface Part {
  readonly section: Section
  readonly tokens: number
}

export interface PagesToFill {
  /** What every page has. */
  readonly standing: readonly Part[]
  /** What must stay together, in order. */
  readonly units: readonly (readonly Part[])[]
  /** What a page may take. */
  readonly roomTokens: number
  /** The most of a section that a page may show. */
  mostOf(section: Section): number
  /** What a page takes for saying which one it is. */
  noteTokens(page: number, pages: number): number
}

export type Filled =
  /** The units of each page, as indexes. */
  | { readonly kind: 'pages'; readonly pages: readonly (readonly number[])[] }
  /** What does not fit on a page: what every page has, or one of the units with it. */
  | { readonly kind: 'too-large'; readonly what: 'standing' | 'unit'; readonly neededTokens: number }

/** Fills one page after the other, in order, each as far as it has room. */
export function fillPages(problem: PagesToFill): Filled {
  let noteTokens = problem.noteTokens(1, 1)
  for (;;) {
    const filled = filledWith(problem, noteTokens)
    if (filled.kind !== 'pages') return filled
    const count = filled.pages.length
    const most = filled.pages.reduce((sum, _, at) => Math.max(sum, problem.noteTokens(at + 1, count)), noteTokens)
    if (most <= noteTokens) return filled
    noteTokens = most
  }
}

function filledWith(problem: PagesToFill, noteTokens: number): Filled {
  const { standing, units } = problem
  const pages: number[][] = []
  const empty = added(new Map(), standing)
  const isFull = (used: Used): boolean => !fits(problem, used, noteTokens)
  if (isFull(empty)) return { kind: 'too-large', what: 'standing', neededTokens: totalOf(empty) + noteTokens }
  let used = empty
  for (const [index, unit] of units.entries()) {
    const last = pages.at(-1)
    const more = added(used, unit)
    if (last !== undefined && !isFull(more)) {
      last.push(index)
      used = more
      continue
    }
    used = added(empty, unit)
    if (isFull(used)) return { kind: 'too-large', what: 'unit', neededTokens: totalOf(used) + noteTokens }
    pages.push([index])
  }
  return { kind: 'pages', pages }
}

type Used = ReadonlyMap<Section, number>

function added(used: Used, parts: readonly Part[]): Used {
  const sum = new Map(used)
  for (const { section, tokens } of parts) sum.set(section, (sum.get(section) ?? 0) + tokens)
  return sum
}

function totalOf(used: Used): number {
  let total = 0
  for (const tokens of used.values()) total += tokens
  return total
}

function fits({ roomTokens, mostOf }: PagesToFill, used: Used, noteTokens: number): boolean {
  if (totalOf(used) + noteTokens > roomTokens) return false
  for (const [section, tokens] of used) if (tokens > mostOf(section)) return false
  return true
}
