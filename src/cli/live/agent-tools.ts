import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isJsonObject } from '../../core/index.ts'
import type { ToolDefinition } from '../../core/index.ts'
import { runCommand } from './run-command.ts'
import { listing, matchingLines } from './search-files.ts'
import type { LiveTask } from './task.ts'
import { pathInside } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

/** Where a run of an agent works. */
export interface Workplace {
  readonly task: Pick<LiveTask, 'test' | 'testTimeoutSeconds'>
  readonly work: WorkFolder
  readonly signal: AbortSignal
}

export interface ToolOutput {
  readonly text: string
  readonly isError: boolean
}

interface AgentTool {
  readonly definition: ToolDefinition
  run(given: Given, place: Workplace): string | Promise<string>
}

/** The arguments of a call. */
interface Given {
  text(name: string): string
  /** A place in the repository. */
  path(name: string): string
  number(name: string, usual: number): number
}

const mostLines = 2000

const tools: readonly AgentTool[] = [
  {
    definition: tool('list_files', 'List the files below a folder of the repository.', { path: 'Folder; "." is all.' }),
    run: (given, { work }) => listing(work.path, given.path('path')),
  },
  {
    definition: tool(
      'read_file',
      `Read a file. At most ${mostLines} lines are shown; offset and limit choose others.`,
      { path: 'Path from the root of the repository.' },
      { offset: 'First line, from 1.', limit: 'How many lines.' },
    ),
    run(given) {
      const lines = readFileSync(given.path('path'), 'utf8').split('\n')
      const first = Math.max(1, given.number('offset', 1)) - 1
      const shown = lines.slice(first, first + Math.max(1, given.number('limit', mostLines)))
      const left = lines.length - first - shown.length
      return left > 0 ? `${shown.join('\n')}\n[${left} more lines]` : shown.join('\n')
    },
  },
  {
    definition: tool('search', 'Find lines that match a JavaScript regular expression.', {
      pattern: 'The regular expression.',
      path: 'File or folder; "." is all.',
    }),
    run: (given, { work }) => matchingLines(work.path, given.path('path'), given.text('pattern')),
  },
  {
    definition: tool('write_file', 'Write a whole file; its folder is made.', {
      path: 'Path from the root of the repository.',
      content: 'All of its text.',
    }),
    run(given) {
      const path = given.path('path')
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, given.text('content'))
      return 'written'
    },
  },
  {
    definition: tool('edit_file', 'Replace a text that stands exactly once in a file.', {
      path: 'Path from the root of the repository.',
      old_string: 'The text as it stands there, with its white space.',
      new_string: 'The text in its place.',
    }),
    run(given) {
      const path = given.path('path')
      const parts = readFileSync(path, 'utf8').split(given.text('old_string'))
      if (parts.length !== 2) throw new Error(`old_string stands ${parts.length - 1} times in the file, not once`)
      writeFileSync(path, parts.join(given.text('new_string')))
      return 'edited'
    },
  },
  {
    definition: tool('run_tests', 'Run the tests of the repository.', {}),
    async run(_, { task, work, signal }) {
      const timeoutMs = 1000 * task.testTimeoutSeconds
      return (await runCommand(task.test, { work, timeoutMs, signal })).output
    },
  },
]

export const agentTools: readonly ToolDefinition[] = tools.map(({ definition }) => definition)

/** Does what a call asks for. Never throws: what is wrong with a call is told to the model. */
export async function runTool(name: string, input: unknown, place: Workplace): Promise<ToolOutput> {
  const found = tools.find(({ definition }) => definition.name === name)
  try {
    if (found === undefined) throw new Error(`there is no tool ${name}`)
    return { text: await found.run(givenOf(input, place.work.path), place), isError: false }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { text: `Error: ${message.replaceAll(place.work.path, '.')}`, isError: true }
  }
}

function givenOf(input: unknown, root: string): Given {
  if (!isJsonObject(input)) throw new Error('the arguments are not a JSON object')
  const text = (name: string): string => {
    const value = input[name]
    if (typeof value !== 'string') throw new Error(`${name} is missing or not a text`)
    return value
  }
  return {
    text,
    path(name) {
      const path = pathInside(root, text(name))
      if (path === undefined) throw new Error(`${text(name)} is outside the repository`)
      return path
    },
    number: (name, usual) => (typeof input[name] === 'number' ? Math.floor(input[name]) : usual),
  }
}

function tool(
  name: string,
  description: string,
  texts: Readonly<Record<string, string>>,
  numbers: Readonly<Record<string, string>> = {},
): ToolDefinition {
  const members = (type: string, all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([member, about]) => [member, { type, description: about }] as const)
  const properties = Object.fromEntries([...members('string', texts), ...members('integer', numbers)])
  return { name, description, schema: { type: 'object', properties, required: Object.keys(texts) } }
}
