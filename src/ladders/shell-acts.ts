import { patchActs } from './apply-patch.ts'
import type { FileAct } from './file-act.ts'
import { shellCommands } from './shell-commands.ts'
import type { ShellCommand, ShellPipeline } from './shell-commands.ts'

/** What a command line does to files, as far as that can be told without running it. */
export function shellActs(line: string): readonly FileAct[] {
  const pipelines = shellCommands(line)
  const printing = pipelines.filter(prints).length
  let folder = ''
  const acts: FileAct[] = []
  for (const pipeline of pipelines) {
    const [first] = pipeline
    if (first?.words[0] === 'cd') {
      folder = joined(folder, first.words[1] ?? '')
      continue
    }
    acts.push(...changesOf(pipeline), ...readsOf(pipeline, printing === 1))
  }
  return folder === '' ? acts : acts.map((act) => within(folder, act))
}

function within(folder: string, act: FileAct): FileAct {
  const path = act.path === undefined ? {} : { path: joined(folder, act.path) }
  return { ...act, ...path, ...(act.kind === 'move' && { to: joined(folder, act.to) }) }
}

function joined(folder: string, path: string): string {
  return folder === '' || /^[/~]/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`
}

const silent = /^(?:cd|mkdir|export|rm|mv|cp|touch|set|source|chmod|sleep|true|:|git (?:add|checkout|restore))$/

function prints(pipeline: ShellPipeline): boolean {
  const [first] = pipeline
  if (first === undefined || pipeline.at(-1)?.writesTo.length !== 0) return false
  return !silent.test(first.words[0] ?? '') && !silent.test(first.words.slice(0, 2).join(' '))
}

/** By program: options that take the word behind them. */
const withValue: Readonly<Record<string, RegExp>> = {
  head: /^-[nc]$/,
  tail: /^-[nc]$/,
  grep: /^-[eABCm]$/,
  rg: /^-[eABCmgt]$/,
}

function operands(words: readonly string[]): readonly string[] {
  const takes = withValue[words[0] ?? '']
  return words.slice(1).filter((word, at) => !/^[-+]/.test(word) && takes?.test(words[at] ?? '') !== true)
}

/** Programs behind a pipe that only cut what they are given. */
const cutters = /^(?:head|cat|nl)$/

function readsOf(pipeline: ShellPipeline, isOnly: boolean): readonly FileAct[] {
  const [first, ...rest] = pipeline
  if (first === undefined || first.writesTo.length + first.appendsTo.length > 0 || first.input !== undefined) return []
  const [program = ''] = first.words
  const { paths, from, isPart } = shownBy(program, first.words)
  const [path] = paths
  if (path === undefined) return []
  if (!isOnly || paths.length > 1 || from === undefined)
    return paths.map((each) => ({ kind: 'read', path: each, extent: 'numbered' }))
  const cut = rest.every(({ words: [name = ''] }) => cutters.test(name))
  if (!cut) return [{ kind: 'read', path, extent: 'numbered' }]
  return [
    { kind: 'read', path, ...(from > 0 && { first: from }), extent: isPart || rest.length > 0 ? 'part' : 'whole' },
  ]
}

interface Shown {
  readonly paths: readonly string[]
  /** The first line; 0 where it depends on the file, undefined where other lines than those of a stretch are shown. */
  readonly from?: number
  readonly isPart: boolean
}

const nothing: Shown = { paths: [], isPart: true }

function shownBy(program: string, words: readonly string[]): Shown {
  const paths = operands(words).filter(isPath)
  if (/^(?:cat|nl|less|more|bat)$/.test(program)) return { paths, from: 1, isPart: false }
  if (program === 'head') return { paths, from: 1, isPart: true }
  if (program === 'tail') {
    const start = words.find((word) => /^(?:-n)?\+\d+$/.test(word))
    return { paths, from: Number(start?.replace(/^\D+/, '') ?? 0), isPart: true }
  }
  if (program === 'sed' && words[1] === '-n') {
    const range = /^(\d+)(?:,\d+|,\+\d+)?p$/.exec(words[2] ?? '')
    const files = words.slice(3).filter(isPath)
    return range === null ? { paths: files, isPart: true } : { paths: files, from: Number(range[1]), isPart: true }
  }
  if (/^(?:grep|egrep|rg)$/.test(program) && words.some((word) => /^-\w*n\w*$|^--line-number$/.test(word))) {
    const recursive = words.some((word) => /^-\w*[rR]/.test(word))
    const files = operands(words).slice(1).filter(isPath)
    return recursive || files.length !== 1 ? nothing : { paths: files, isPart: true }
  }
  if (program === 'awk') return { paths: paths.slice(-1), isPart: true }
  return nothing
}

/** A word that names a file. */
function isPath(word: string): boolean {
  return /^[\w@~.][^,*?$()]*$/.test(word.replace(/^\//, '')) && /[/.][\w-]|^[A-Z]\w+file$/.test(word)
}

const formatters =
  /^(?:prettier|eslint|biome|oxfmt|oxlint|black|isort|ruff|gofmt|goimports|rustfmt|autopep8|yapf|dprint)$/
const rewriting = /^(?:--write|-w|--fix|--apply(?:-unsafe)?|-i|--in-place|format)$/
const alwaysRewriting = /^(?:black|isort|rustfmt|autopep8|yapf)$/
const runners = /^(?:npx|pnpx|bunx|uvx|poetry|uv|pnpm|yarn|bun|npm|exec|run|dlx|time|sudo|xargs)$/
const scripts = /^(?:format|fmt|fix|lint:fix|fix:lint)(?::\S+)?$/

function changesOf(pipeline: ShellPipeline): readonly FileAct[] {
  return pipeline.flatMap((command) => [...writtenBy(command), ...doneBy(command)])
}

function writtenBy({ words, writesTo, appendsTo, input }: ShellCommand): readonly FileAct[] {
  const [program = ''] = words
  const isTee = program === 'tee'
  const known = input !== undefined && (program === 'cat' || isTee)
  const targets = isTee ? operands(words) : writesTo
  const added = isTee && words.includes('-a') ? targets : appendsTo
  const written = isTee && words.includes('-a') ? [] : targets
  const real = (path: string): boolean => !/^\/dev\/|^\$|^&/.test(path)
  return [
    ...written
      .filter(real)
      .map((path): FileAct => (known ? { kind: 'write', path, text: input } : { kind: 'touch', path })),
    ...added
      .filter(real)
      .map((path): FileAct => (known ? { kind: 'append', path, text: input } : { kind: 'touch', path })),
  ]
}

function doneBy({ words, input }: ShellCommand): readonly FileAct[] {
  const [program = '', ...rest] = words.slice(words.findIndex((word) => !runners.test(word) && !word.startsWith('-')))
  if (input?.includes('*** Begin Patch') === true) return patchActs(input)
  const files = operands([program, ...rest]).filter(isPath)
  const touched = (paths: readonly string[]): readonly FileAct[] => paths.map((path) => ({ kind: 'touch', path }))
  if (program === 'rm') return files.map((path) => ({ kind: 'remove', path }))
  if (program === 'mv') return moved(operands([program, ...rest]))
  if (program === 'cp') return touched(files.slice(-1))
  if (program === 'git') return doneByGit(rest)
  if (program === 'patch') return [{ kind: 'touch' }]
  if ((program === 'sed' || program === 'perl') && rest.some((word) => /^-\w*i/.test(word)))
    return touched(files.filter((file) => !/^\d*s?[/|]/.test(file)))
  if (/^python\d?$/.test(program) || program === 'node') {
    const [script] = operands([program, ...rest]).filter((file) => /\.(?:py|[cm]?[jt]s)$/.test(file))
    if (input === undefined && script !== undefined) return [{ kind: 'run', path: script }]
    return touched(filesWritten(input ?? rest.join('\n')))
  }
  if (scripts.test(program)) return [{ kind: 'touch' }]
  if (program === 'cargo' || program === 'go' || program === 'deno')
    return /^(?:fmt|fix)$/.test(rest[0] ?? '') ? [{ kind: 'touch' }] : []
  if (!formatters.test(program) || !(alwaysRewriting.test(program) || rest.some((word) => rewriting.test(word))))
    return []
  return files.length > 0 && files.every((file) => /\.\w+$/.test(file)) ? touched(files) : [{ kind: 'touch' }]
}

/** What is moved into a folder has another name than the words say. */
function moved([path = '', to = '', ...more]: readonly string[]): readonly FileAct[] {
  if (more.length > 0 || to === '' || /[*?$]/.test(path + to)) return []
  return /\.\w+$/.test(path) && !/\.\w+$/.test(to)
    ? [{ kind: 'move', path, to: `${to.replace(/\/$/, '')}/${path.slice(path.lastIndexOf('/') + 1)}` }]
    : [{ kind: 'move', path, to }]
}

function doneByGit(words: readonly string[]): readonly FileAct[] {
  const [verb = '', ...rest] = words
  if (/^(?:stash|reset|revert|pull|merge|rebase|cherry-pick|apply|am|switch)$/.test(verb)) {
    return /^(?:list|show)$/.test(rest[0] ?? '') ? [] : [{ kind: 'touch' }]
  }
  if (verb === 'mv') return moved(operands(words))
  if (verb !== 'checkout' && verb !== 'restore') return []
  if (rest[0] === '-b' || rest[0] === '-B') return []
  const paths = operands(['git', ...rest]).filter((word) => isPath(word) && /\.\w+$/.test(word))
  return paths.length === 0 ? [{ kind: 'touch' }] : paths.map((path) => ({ kind: 'restore', path }))
}

/** Files that a script opens for writing by their names. */
export function filesWritten(script: string): readonly string[] {
  const opened = script.matchAll(
    /open\(\s*r?['"]([^'"\n]{1,300})['"]\s*,\s*(?:mode\s*=\s*)?['"][wa+r]*[wa+]|Path\(\s*['"]([^'"\n]{1,300})['"]\s*\)\.write|writeFileSync\(\s*['"]([^'"\n]{1,300})['"]/g,
  )
  return [...new Set(Array.from(opened, ([, one, two, three]) => one ?? two ?? three ?? ''))].filter(isPath)
}
