import { textMemo } from '../../core/index.ts'
import type { Item } from '../../core/index.ts'

/** Whether a call names a file that it shows. */
export type FileNames = (call: Pick<Item, 'toolName' | 'text'>) => boolean

/** In characters. */
const rememberedPerGeneration = 4_000_000

/** As `namesFile`, remembering what it has read. */
export function fileNames(): FileNames {
  const asked = textMemo(fileArguments, rememberedPerGeneration)
  return (call) => showsFile(call, asked.get(call.text))
}

/**
 * Whether the call that made an item names a file that it reads, so that what came back may be quoted byte for byte in an edit.
 * A result whose call is not there counts as one, so does one of a call that cannot be read.
 */
export function fileResults(items: readonly Item[], names: FileNames = namesFile): (index: number) => boolean {
  let known: ReadonlySet<number> | undefined
  return (index) => {
    known ??= readingResults(items, names)
    return known.has(index)
  }
}

/** Ids may come back: the call of a result is the nearest before it. */
function readingResults(items: readonly Item[], names: FileNames): ReadonlySet<number> {
  const calls = new Map<string | undefined, Item>()
  const found = new Set<number>()
  items.forEach((item, index) => {
    if (item.kind === 'tool-call') calls.set(item.toolCallId, item)
    if (item.kind !== 'tool-result') return
    const call = calls.get(item.toolCallId)
    if (call === undefined || names(call)) found.add(index)
  })
  return found
}

const listing = /(?:^|[_\-.])(?:ls|list|dir|tree|glob|find|stat|search)(?:$|[_\-.])|^(?:list|search|find|glob)[A-Z]/
const pathKey = /^(?:.*[_-])?(?:path|paths|file|files|filename|filenames|filepath|filePath|notebook)$/i
const commandKey = /^(?:command|commands|cmd|script|bash|shell|input|args|arguments)$/i

/** Whether a call names a file that it shows: by an argument that is a path, or by a command of a shell that prints files. */
export function namesFile(call: Pick<Item, 'toolName' | 'text'>): boolean {
  return showsFile(call, fileArguments(call.text))
}

/** A tool that lists is given a path, and shows no file. */
function showsFile({ toolName = '' }: Pick<Item, 'toolName'>, { byPath, byCommand }: FileArguments): boolean {
  return byCommand || (byPath && !listing.test(toolName))
}

/** What the arguments of a call say of files. */
interface FileArguments {
  readonly byPath: boolean
  /** Also where they cannot be read. */
  readonly byCommand: boolean
}

function fileArguments(text: string): FileArguments {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { byPath: false, byCommand: text.trim() !== '' }
  }
  if (typeof value !== 'object' || value === null) return { byPath: false, byCommand: false }
  const given = Object.entries(value)
  return {
    byPath: given.some(([key, argument]) => pathKey.test(key) && argument !== null && argument !== ''),
    byCommand: given.some(
      ([key, argument]) => !pathKey.test(key) && commandKey.test(key) && stringsOf(argument).some(printsFile),
    ),
  }
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value)
    ? [value.filter((part) => typeof part === 'string').join(' '), ...value.filter((part) => typeof part === 'string')]
    : []
}

const printers =
  /^(?:\S*\/)?(?:cat|bat|tac|head|tail|less|more|nl|sed|awk|gawk|perl|cut|grep|egrep|fgrep|rg|ag|diff|patch|view|open|vim?|ed|strings|type|gc|Get-Content|Select-String|findstr)$/
const gitPrinters = /^(?:show|diff|blame|grep|cat-file|log)$/
/** An operand that is a path: with a folder or an ending; neither a flag, an expression of `sed`, nor a number. */
const operand =
  /^(?!-)(?!\d+(?:,\d+)?p?$)(?!s\/)(?:[^\s'"`$(){}|&;<>]*\/)?[^\s'"`$(){}|&;<>/]*(?:\.[A-Za-z]\w{0,8}|\/[\w.-]+|file)$/

/** Characters of a command that are looked at; what is longer carries a file in it. */
const looked = 20_000
const longestPath = 400

/** Whether some part of a shell's command prints a file that it names. */
function printsFile(command: string): boolean {
  const start = command.slice(0, looked)
  return start.split(/[\n;|&]+/).some((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => !/^\w+=/.test(word) && !/^(?:sudo|time|command|exec)$/.test(word))
    const [program = '', ...rest] = words
    const isPrinter = printers.test(program) || (program === 'git' && rest.some((word) => gitPrinters.test(word)))
    return isPrinter && rest.some((word) => word.length < longestPath && operand.test(word.replace(/^['"]|['"]$/g, '')))
  })
}
