import type { ScriptedResult } from './answered-calls.ts'
import type { ScriptAction } from './script-document.ts'
import { verbOf } from './script-document.ts'
import type { Verb } from './script-document.ts'
import { placeInMakeCommand } from './shell-commands.ts'

interface Tally {
  readonly done: number
  readonly failed: number
}

/** What has come of a script so far, as the results of its calls say. */
export interface ScriptRecord {
  /** The client's working folder, as its own shell has shown it. */
  readonly workingFolder: string
  /** The folder that was made for the script. */
  readonly made: string
  readonly tallies: Readonly<Partial<Record<Verb, Tally>>>
  /** Verbs that the client has no tool for. */
  readonly lacking: ReadonlySet<Verb>
  /** What the client answered where it did not show or make the folder; empty where it did. */
  readonly refusal: string
  /** What commands have printed, in order. */
  readonly printed: readonly string[]
}

export const nothingDone: ScriptRecord = {
  workingFolder: '',
  made: '',
  refusal: '',
  tallies: {},
  lacking: new Set(),
  printed: [],
}

export function withLacking(record: ScriptRecord, actions: readonly ScriptAction[]): ScriptRecord {
  return { ...record, lacking: new Set([...record.lacking, ...actions.map(verbOf)]) }
}

interface Done {
  readonly action: ScriptAction
  readonly result: ScriptedResult | undefined
  /** What later calls say: a result may be shown shortened by then, and what the model itself has said stands. */
  readonly later: readonly string[]
}

export function withResult(record: ScriptRecord, { action, result, later }: Done): ScriptRecord {
  if (result === undefined) return record
  const verb = verbOf(action)
  const { done = 0, failed = 0 } = record.tallies[verb] ?? {}
  const isForFolder = action.run === 'pwd' || action.make !== undefined
  const tally = result.failed ? { done, failed: failed + 1 } : { done: done + 1, failed }
  return {
    ...record,
    tallies: { ...record.tallies, [verb]: tally },
    ...(isForFolder && { refusal: result.failed ? firstWords(result.text) : '' }),
    ...(action.run !== undefined && { printed: [...record.printed, result.text] }),
    ...(action.run === 'pwd' && { workingFolder: folderShown(result) || workedIn(later) }),
    ...(action.make !== undefined && {
      made: folderMade(folderShown(result), action.make) || usedFolder(later, action.make),
    }),
  }
}

const mostQuoted = 200

function firstWords(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  return words.length > mostQuoted ? `${words.slice(0, mostQuoted)}…` : words
}

/** The last absolute path in a result; the root is no folder to work in. */
function folderShown({ text, failed }: ScriptedResult): string {
  return failed ? '' : (text.match(/(?<=^|[\s":])\/[^\n"\\]*[^\s"\\]/g)?.at(-1) ?? '')
}

function workedIn(later: readonly string[]): string {
  return later.map(placeInMakeCommand).find((place) => place !== undefined) ?? ''
}

/** A folder, if it has the name of the one that was to be made, or that name and what makes it a fresh one. */
function folderMade(shown: string, name: string): string {
  const own = shown.slice(shown.lastIndexOf('/') + 1)
  return own.startsWith(name) && /^(?:-2)*$/.test(own.slice(name.length)) ? shown : ''
}

function usedFolder(later: readonly string[], name: string): string {
  const used = later.flatMap((text) => text.match(/\/[^'"\n\\]*/g) ?? [])
  const folders = used.flatMap((path) => {
    const parts = path.split('/')
    const last = parts.findLastIndex((part) => folderMade(part.replace(/ .*/, ''), name) !== '')
    return last < 0 ? [] : [[...parts.slice(0, last), parts[last]?.replace(/ .*/, '')].join('/')]
  })
  return folders[0] ?? ''
}
