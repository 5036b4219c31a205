import { isJsonObject } from '../core/index.ts'
import type { JsonValue } from '../core/index.ts'

/** What a call does to files, as far as its arguments tell. */
export interface CallFacts {
  /** Paths of files that it writes anew, with all that they hold. */
  readonly writes: readonly string[]
  /** Paths of files that it removes, or puts back to what they were. */
  readonly removes: readonly string[]
  /** Texts that it replaces in a file: they are gone once it is done. */
  readonly replaces: ReadonlySet<string>
  /** Paths of files of which it replaces a part. */
  readonly edits: readonly string[]
  /** Paths of files that stand in its result, as far as it names them. */
  readonly shows: readonly string[]
}

const nothing: CallFacts = { writes: [], removes: [], replaces: new Set(), edits: [], shows: [] }

/** Reads the JSON of a call's arguments; of what is none, nothing is known. */
export function callFacts(json: string): CallFacts {
  const parsed = valueOf(json)
  if (!isJsonObject(parsed)) return nothing
  const writes: string[] = []
  const removes: string[] = []
  const replaces = new Set<string>()
  const shows: string[] = []
  const named: string[] = []
  const edits: string[] = []
  for (const object of objectsIn(parsed)) {
    const { old, path, content, command } = membersOf(object)
    if (path !== undefined) named.push(path)
    if (old !== undefined) replaces.add(old)
    else if (path !== undefined && content !== undefined) writes.push(path)
    if (command === undefined) {
      if (path !== undefined && old === undefined && content === undefined) shows.push(path)
      continue
    }
    for (const [, words = ''] of command.matchAll(printers))
      shows.push(...words.split(/\s+/).map(unquoted).filter(isPath))
    writes.push(...matches(command, heredocs))
    edits.push(...matches(command, patched))
    removes.push(...matches(command, removals).flatMap((words) => words.split(/\s+/).map(unquoted)))
  }
  if (replaces.size > 0) edits.push(...named)
  return { writes, removes, replaces, edits, shows }
}

const beginsJson = /^\s*[[{]/

/** Most of what is no JSON is told by its beginning: an error is dear to make. */
export function valueOf(json: string): JsonValue | undefined {
  if (!beginsJson.test(json)) return undefined
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return undefined
  }
}

function* objectsIn(value: JsonValue): Generator<Readonly<Record<string, JsonValue | undefined>>> {
  if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) yield* objectsIn(one)
  if (!isJsonObject(value)) return
  yield value
  for (const one of Object.values(value)) if (one !== undefined) yield* objectsIn(one)
}

/** By what names the editing tools of agents call what they take, whatever the case and the joints of the words. */
const memberNames = {
  old: /^(?:old|search)(?:str|string|text|content|code)?$/,
  replacement: /^(?:new|replace|replacement|updated)(?:str|string|text|content|code)?$/,
  path: /^(?:target|absolute|relative|abs|rel)?(?:file)?(?:path|name)$|^(?:target)?file$/,
  content: /^(?:file|new)?(?:content|contents|text|filetext)$/,
  command: /^(?:command|cmd|script|bash|shell|input|code)$/,
} as const

type Member = keyof typeof memberNames
const members = Object.keys(memberNames) as readonly Member[]

export function membersOf(object: Readonly<Record<string, JsonValue | undefined>>): {
  readonly [Name in Member]?: string
} {
  const found: { [Name in Member]?: string } = {}
  for (const [key, value] of Object.entries(object)) {
    if (typeof value !== 'string') continue
    const plain = key.toLowerCase().replaceAll(/[_-]/g, '')
    for (const name of members) if (memberNames[name].test(plain)) found[name] ??= value
  }
  return found
}

/** `cat > FILE <<EOF`, `cat <<EOF > FILE`, `tee FILE <<EOF`: the whole file is written. */
const heredocs = /\b(?:cat|tee)\s+(?:(?:>\s*)?([^\s<>|;&]+)\s*<<|<<-?\s*['"]?\w+['"]?\s*>\s*([^\s<>|;&]+))/g
/** `rm FILE…`, `git checkout -- FILE…`, `git restore FILE…`. */
const removals = /(?:^|[\n;&|(])\s*(?:rm(?:\s+-\w+)*|git\s+checkout\s+--|git\s+restore)\s+([^\n;&|<>]+)/g

/** `*** Update File: FILE` of a patch, `sed -i … FILE`. */
const patched = /^\*\*\* Update File: (.{1,400})$|(?:^|[\n;&|(])\s*sed\s+-i[^\n;&|<>]{0,800}\s([^\s<>|;&]+)/gm

/** Programs that print files as they are, where they do not read from a pipe. */
const printers = /(?:^|[\n;&(])\s*(?:cat|head|tail|less|more|nl|bat|sed\s+-n|awk)\s+([^\n;&|<>()]{1,400})/g

/** A word that names a file: it has a folder or an ending, and is no flag and no range. */
function isPath(word: string): boolean {
  return /^[\w@~.][^,]*$/.test(word) && /[/.][\w-]/.test(word)
}

function matches(text: string, form: RegExp): readonly string[] {
  return Array.from(text.matchAll(form), ([, first, second]) => unquoted((first ?? second ?? '').trim()))
}

function unquoted(word: string): string {
  return word.replaceAll(/^['"]|['"]$/g, '')
}
