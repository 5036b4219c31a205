import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

/** Views of one file of which none counts as old: a part that was looked at later does not show what an earlier view does. */
const viewsOfFile = 2

/** A result that shows a file as it was last looked at. */
export interface NewestView {
  /** The last step that edited the file after that. */
  readonly edited?: number
  /** The files that it shows. */
  readonly shows: readonly string[]
}

/**
 * The results that show a file as it was last looked at, by their index. Edits quote such lines many steps later, so they age more
 * slowly than others do.
 */
export function newestViews(options: CallsOptions): ReadonlyMap<number, NewestView> {
  const { items, steps, facts } = options
  const callOf = callsByStep(options)
  const seen = new Map<string, number>()
  const edited = new Map<string, number>()
  const found = new Map<number, NewestView>()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind === 'tool-call') {
      for (const path of facts.ofCall(item.text).edits)
        edited.set(path, Math.max(edited.get(path) ?? 0, steps[index] ?? 0))
    }
    if (item?.kind !== 'tool-result') continue
    const { shows } = callOf(index)
    if (shows.some((path) => (seen.get(path) ?? 0) < viewsOfFile)) found.set(index, viewOf(shows, edited))
    for (const path of shows) seen.set(path, (seen.get(path) ?? 0) + 1)
  }
  return found
}

function viewOf(shows: readonly string[], edited: ReadonlyMap<string, number>): NewestView {
  const steps = shows.flatMap((path) => edited.get(path) ?? [])
  return steps.length === 0 ? { shows } : { shows, edited: Math.max(...steps) }
}

const shortestFile = 4

/** Whether a text names one of some files by its name without folders. */
export function isNamed(paths: readonly string[], text: string): boolean {
  return paths.some((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.length >= shortestFile && name.includes('.') && text.includes(name)
  })
}

/** So many steps of a newest view count as one. */
export const viewSteps = 8

const quotedAtFirst = 0.07
const meanEditing = 10

/**
 * Expected uses of each line of a view beside what its names tell, so many steps after its file was last edited: whoever is at work on a
 * file may quote any of it.
 */
export function quotedBy(stepsSinceEdit: number): number {
  return quotedAtFirst * Math.exp(-stepsSinceEdit / meanEditing)
}
