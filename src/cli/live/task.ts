import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PrehendError, invalidInput, shape } from '../../core/index.ts'
import { parseJson, plainText } from '../read-text.ts'

/** The tasks that come with the product. */
export const shippedTasks = fileURLToPath(new URL('../../../examples/tasks', import.meta.url))

/** `task.json` of a task's folder. */
interface TaskDocument {
  readonly schema: 'prehend.task/1'
  readonly about: string
  /** What the agent is asked to do. */
  readonly prompt: string
  /** What `run_tests` runs in the repository; all of `test/` by Node by default. */
  readonly test?: readonly string[]
  /** What judges once the hidden tests lie in `tests/`; all of them by Node by default. */
  readonly judge?: readonly string[]
  readonly maxTurns?: number
  readonly testTimeoutSeconds?: number
}

/** A small repository, something to do in it, and tests that the agent does not see. */
export interface LiveTask extends Required<Omit<TaskDocument, 'schema'>> {
  readonly name: string
  /** Its `repo`, which is copied for each run. */
  readonly repository: string
  /** Its `tests`, which are put beside once the agent has finished. */
  readonly hiddenTests: string
  /** A hash of all of it, so that runs of another state of the task are told apart. */
  readonly hash: string
}

const command = shape.optional(shape.list(shape.name))

const document = shape.object<TaskDocument>({
  schema: shape.oneOf(['prehend.task/1']),
  about: shape.name,
  prompt: shape.name,
  test: command,
  judge: command,
  maxTurns: shape.optional(shape.countFrom(1)),
  testTimeoutSeconds: shape.optional(shape.countFrom(1)),
})

/** The tasks in a folder, by name, or the one task that the folder is. Throws `not-found` and `invalid-input`. */
export function readTasks(given: string): readonly LiveTask[] {
  const folder = given === 'example' ? shippedTasks : resolve(given)
  if (existsSync(join(folder, 'task.json'))) return [readTask(folder)]
  const names = namesIn(folder).filter((name) => existsSync(join(folder, name, 'task.json')))
  if (names.length > 0) return names.map((name) => readTask(join(folder, name)))
  const remedy = 'Give a folder with task.json, a folder of such folders, or "example"'
  throw new PrehendError('not-found', `${given} holds no tasks. ${remedy}.`, { what: given, remedy })
}

function readTask(folder: string): LiveTask {
  const file = join(folder, 'task.json')
  const value = parseJson(plainText(readFileSync(file, 'utf8'), file), file)
  shape.check(document, value, file, { strict: true })
  // The shape says so.
  const { schema: _, ...task } = value as TaskDocument
  const [repository, hiddenTests] = [join(folder, 'repo'), join(folder, 'tests')]
  for (const needed of [repository, hiddenTests]) {
    if (namesIn(needed).length > 0) continue
    throw invalidInput(needed, 'is missing or empty', 'A task has repo/ to work in and tests/ that judge')
  }
  return {
    test: ['node', '--test', 'test/**/*.test.js'],
    judge: ['node', '--test', 'tests/**/*.test.js'],
    maxTurns: 40,
    testTimeoutSeconds: 30,
    ...task,
    name: basename(folder),
    repository,
    hiddenTests,
    hash: hashOf([file, ...filesBelow(repository), ...filesBelow(hiddenTests)], folder),
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function hashOf(files: readonly string[], folder: string): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${relative(folder, file)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
