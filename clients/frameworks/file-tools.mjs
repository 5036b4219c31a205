// The tools of a small agent: files of one folder, and no shell.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const [, , prompt = '', folder = '.'] = process.argv

export const job = { prompt, folder }

/** More turns than the job has. */
export const mostTurns = 60

function within(path) {
  const file = resolve(folder, path)
  if (relative(folder, file).startsWith('..')) throw new Error(`${path} is not in the project`)
  return file
}

function filesBelow(path) {
  const entries = readdirSync(within(path), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return files.filter((file) => !file.startsWith('.git/')).toSorted()
}

/** Every tool: what it is for, the names of its parameters, all of them texts, and what it does. */
export const fileTools = {
  list_files: {
    description: 'Lists the files of a folder and of those in it.',
    parameters: ['path'],
    run: ({ path }) => filesBelow(path).join('\n'),
  },
  read_file: {
    description: 'Reads a file.',
    parameters: ['path'],
    run: ({ path }) => readFileSync(within(path), 'utf8'),
  },
  search_files: {
    description: 'Finds the lines that contain a text, in all files.',
    parameters: ['pattern'],
    run: ({ pattern }) =>
      filesBelow('.')
        .flatMap((file) =>
          readFileSync(within(file), 'utf8')
            .split('\n')
            .flatMap((line, index) => (line.includes(pattern) ? [`${file}:${index + 1}:${line}`] : [])),
        )
        .join('\n'),
  },
  write_file: {
    description: 'Writes a file.',
    parameters: ['path', 'content'],
    run: ({ path, content }) => {
      writeFileSync(within(path), content)
      return `wrote ${path}`
    },
  },
  edit_file: {
    description: 'Replaces a text in a file by another.',
    parameters: ['path', 'old_text', 'new_text'],
    run: ({ path, old_text: found, new_text: wanted }) => {
      const text = readFileSync(within(path), 'utf8')
      if (!text.includes(found)) throw new Error(`${path} does not contain that text`)
      writeFileSync(
        within(path),
        text.replace(found, () => wanted),
      )
      return `changed ${path}`
    },
  },
}

/** The JSON Schema of a tool's parameters. */
export function schemaOf({ parameters }) {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((name) => [name, { type: 'string' }])),
    required: parameters,
    additionalProperties: false,
  }
}

/** What a tool answers; what goes wrong is an answer, too. */
export function answer(name, input) {
  try {
    return fileTools[name].run(input)
  } catch (error) {
    return `Error: ${error.message}`
  }
}
