import { filesWritten } from '../../ladders/index.ts'
import type { FileAct } from '../../ladders/index.ts'
import type { WorkInput } from './brief-input.ts'
import { asWritten, withAppended, withEdit, withInsertion } from './file-edits.ts'
import { unknownFile, withRead } from './file-model.ts'
import type { FileModel, SeenLines } from './file-model.ts'
import { filePaths } from './file-paths.ts'
import { callsIn } from './gone-calls.ts'
import type { GoneCall } from './gone-calls.ts'
import { linesRead } from './read-result.ts'
import { withFetched } from './with-fetched.ts'

export type Deed = 'read' | 'edit' | 'write' | 'remove' | 'restore' | 'change'

/** What was done with one file, and what is known of it. */
export interface FileWork {
  readonly path: string
  readonly deeds: readonly { readonly what: Deed; readonly step: number }[]
  readonly model: FileModel
  /** The step, or the user's words after that step, that may have changed it since it was seen. */
  readonly changed?: number
  /** The step of the last command that has changed it, where it was not read since. */
  readonly touched?: number
  /** The step at which our tool brought back lines of it. */
  readonly fetched?: number
}

/** The files of the steps up to the last one that is gone, in the order in which work on them began. */
export function fileWork(input: WorkInput, calls: readonly GoneCall[] = callsIn(input)): readonly FileWork[] {
  const last = input.steps[input.gone.at(-1) ?? -1] ?? 0
  const paths = filePaths()
  const works = new Map<string, FileWork>()
  const undoings = undoingSteps(input, last)
  for (const call of calls) {
    if (call.step > last) break
    while ((undoings[0] ?? Infinity) < call.step) mayHaveChanged(works, undoings.shift() ?? 0)
    if (call.isHidden) takeFetched(works, call)
    else if (hasWorked(call, input)) for (const act of actsOf(call, input)) take(works, act, { call, paths, input })
  }
  for (const step of undoings) mayHaveChanged(works, step)
  return [...works.values()]
}

/** Tools that list or search: what they name is not what they show. */
const listing =
  /^(?:ls|list|find|glob|grep|search|tree|dir)|(?:_|\b)(?:list|search|grep|glob|find)(?:_|\b)|(?:List|Search|Grep|Glob)$/

function actsOf({ call, result }: GoneCall, { facts }: WorkInput): readonly FileAct[] {
  const acts = facts.actsOf(call.text)
  const hasFailed = result?.status === 'error' || facts.ofText(result?.text ?? '').failure().failed
  // A patch of a command that has failed may have come in part.
  if (hasFailed) return acts.map((act) => (act.kind === 'edit' ? { kind: 'touch', path: act.path } : act))
  return listing.test(call.toolName ?? '') ? acts.filter(({ kind }) => kind !== 'read') : acts
}

const refused =
  /^\s*(?:error\b|could not|cannot|can't|no (?:match|replacement|such)|not found|failed|invalid|string to replace|old_?(?:string|text|str)\b.*not|file (?:not found|does not exist)|the user (?:rejected|doesn't want)|permission denied)/i

/** Whether a call has come to an end as it was meant; of a command line only its last part may have failed. */
function hasWorked({ call, result }: GoneCall, { facts }: WorkInput): boolean {
  if (result === undefined) return false
  const isCommand = /"(?:command|cmd|script)"/.test(call.text)
  if (isCommand && facts.actsOf(call.text).some(({ kind }) => kind !== 'read')) return true
  const start = result.text.slice(0, 200)
  return result.status !== 'error' && !refused.test(start) && !missing.test(start)
}

const missing =
  /^(?:<returncode>\d+<\/returncode>\s*<output>\s*)?\S+: .{1,120}: (?:No such file|Is a directory|Permission denied)/

interface Taking {
  readonly call: GoneCall
  readonly paths: ReturnType<typeof filePaths>
  readonly input: WorkInput
}

function take(works: Map<string, FileWork>, act: FileAct, { call, paths }: Taking): void {
  const { step } = call
  if (act.path === undefined) {
    mayHaveChanged(works, step)
    return
  }
  const path = paths.named(act.path)
  if (act.kind === 'run') {
    for (const name of filesWritten(textOf(works.get(path)))) touch(works, paths.named(name), step)
    return
  }
  if (act.kind === 'touch') {
    touch(works, path, step)
    return
  }
  const work = works.get(path) ?? { path, deeds: [], model: unknownFile }
  works.delete(path)
  if (act.kind === 'move') {
    const to = paths.named(act.to)
    works.set(to, { ...work, path: to, deeds: [...work.deeds, { what: 'change', step }] })
    return
  }
  works.set(path, done(work, act, call))
}

function textOf(work: FileWork | undefined): string {
  return work?.model.runs.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n') ?? ''
}

/** A command has changed a file. What it makes for itself is no work on a file. */
function touch(works: Map<string, FileWork>, path: string, step: number): void {
  const work = works.get(path)
  if (work === undefined || work.deeds.length === 0) return
  works.delete(path)
  works.set(path, { ...withDeed(work, 'change', step), changed: step, touched: step })
}

function withDeed(work: FileWork, what: Deed, step: number): FileWork {
  const last = work.deeds.at(-1)
  if (last?.what === what && last.step === step) return work
  return { ...work, deeds: [...work.deeds, { what, step }] }
}

type Done = Exclude<FileAct, { readonly kind: 'move' | 'touch' | 'run' }>

function done(work: FileWork, act: Done, { step, result }: GoneCall): FileWork {
  const { path, model } = work
  if (act.kind === 'read') return withView(work, linesRead(result?.text ?? '', act, step), step)
  if (act.kind === 'write')
    return { path, deeds: withDeed(work, 'write', step).deeds, model: asWritten(act.text, step) }
  if (act.kind === 'remove' || act.kind === 'restore') {
    return { path, deeds: withDeed(work, act.kind, step).deeds, model: unknownFile }
  }
  const edited = withDeed(work, 'edit', step)
  if (act.kind === 'append') return { ...edited, model: withAppended(model, act.text, step) }
  if (act.kind === 'insert') return { ...edited, model: withInsertion(model, act.after, act.text, step) }
  return { ...edited, model: withEdit(model, { ...act, step }) }
}

function withView(work: FileWork, seen: readonly SeenLines[], step: number): FileWork {
  const { changed, touched, ...known } = withDeed(work, 'read', step)
  if (seen.length === 0) return { ...work, deeds: known.deeds }
  const since = touched === undefined ? {} : { changedAt: touched }
  const model = seen.reduce((before, lines) => withRead(before, { ...lines, ...since }), work.model)
  const isAll = seen.some(({ isWhole }) => isWhole)
  return { ...known, model, ...(!isAll && changed !== undefined && { changed }) }
}

function mayHaveChanged(works: Map<string, FileWork>, step: number): void {
  for (const [path, work] of works) if (work.model.seen > 0) works.set(path, { ...work, changed: step })
}

function takeFetched(works: Map<string, FileWork>, { result, step }: GoneCall): void {
  if (result === undefined) return
  // A copy: what is put in again would come again.
  for (const [path, work] of Array.from(works)) {
    const model = withFetched(work.model, result.text, step)
    if (model === work.model) continue
    works.delete(path)
    works.set(path, { ...work, model, fetched: step })
  }
}

const undone =
  /\b(?:revert(?:ed|ing)?|undid|undone|undo|changed? (?:it |that |them )?back|rolled back|restored|reset)\b/i

/** The steps after which a user says that something was undone. */
function undoingSteps({ items, steps }: WorkInput, last: number): number[] {
  return items.flatMap(({ role, kind, text }, index) => {
    const step = steps[index] ?? 0
    return role === 'user' && kind === 'text' && step > 0 && step <= last && undone.test(text) ? [step] : []
  })
}
