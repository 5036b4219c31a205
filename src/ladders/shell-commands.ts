/** One program of a command line with its arguments, quotes removed. */
export interface ShellCommand {
  readonly words: readonly string[]
  /** Files that its output is written to. */
  readonly writesTo: readonly string[]
  readonly appendsTo: readonly string[]
  /** The here-document that it reads. */
  readonly input?: string
}

/** Programs that are connected by pipes, in order. */
export type ShellPipeline = readonly ShellCommand[]

interface Draft {
  words: string[]
  writesTo: string[]
  appendsTo: string[]
  input?: string
}

const token =
  /(?<blank>[ \t]+|\\\n)|(?<end>&&|\|\||;|\n|&(?!>))|(?<pipe>\|)|<<-?\s*(?<mark>'[^']*'|"[^"]*"|\w+)|(?<into>&?\d?>>?&?)|(?<word>(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;|&<>'"\\])+)|[\s\S]/g

/** Reads a command line of a shell, as far as that can be done without running it. */
export function shellCommands(line: string): readonly ShellPipeline[] {
  const { text, inputs } = withoutInputs(line)
  const pipelines: Draft[][] = [[emptyDraft()]]
  let into: string | undefined
  let input = 0
  for (const { groups = {} } of text.matchAll(token)) {
    const command = pipelines.at(-1)?.at(-1) ?? emptyDraft()
    if (groups['end'] !== undefined) pipelines.push([emptyDraft()])
    else if (groups['pipe'] !== undefined) pipelines.at(-1)?.push(emptyDraft())
    else if (groups['mark'] !== undefined) command.input = inputs[input++] ?? ''
    else if (groups['into'] !== undefined) into = groups['into']
    else if (groups['word'] !== undefined) {
      const word = unquoted(groups['word'])
      if (into === undefined) command.words.push(word)
      else if (into.endsWith('>>')) command.appendsTo.push(word)
      else if (into === '>' || into === '1>' || into === '&>') command.writesTo.push(word)
      into = undefined
    }
  }
  return pipelines.filter((pipeline) => pipeline.some(({ words }) => words.length > 0))
}

function emptyDraft(): Draft {
  return { words: [], writesTo: [], appendsTo: [] }
}

/** The line with its here-documents taken out, and these in order. */
function withoutInputs(line: string): { readonly text: string; readonly inputs: readonly string[] } {
  if (!line.includes('<<')) return { text: line, inputs: [] }
  const inputs: string[] = []
  const kept: string[] = []
  const open: string[] = []
  let body: string[] = []
  for (const row of line.split('\n')) {
    const [mark] = open
    if (mark === undefined) {
      kept.push(row)
      for (const [, , name = ''] of row.matchAll(/(?<!<)<<-?\s*(['"]?)(\w+)\1/g)) open.push(name)
    } else if (row.trim() === mark) {
      inputs.push(body.join('\n') + (body.length > 0 ? '\n' : ''))
      body = []
      open.shift()
    } else body.push(row)
  }
  return { text: kept.join('\n'), inputs }
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? escaped ?? (double ?? '').replaceAll(/\\(["\\$`])/g, '$1'),
  )
}
