import { fileURLToPath } from 'node:url'
import { parseJson, readText } from './read-text.ts'
import { variablesOf } from './variables.ts'
import type { Script } from '../providers/index.ts'
import type { OptionSpec } from './command.ts'
import type { Io } from './io.ts'

/** A coding job that plays in any folder. */
const exampleScript = fileURLToPath(new URL('../../examples/coding-job.script.json', import.meta.url))

export const scriptOption = {
  type: 'text',
  about: 'a prehend.script/1 file to play, or "example": a job in a new folder prehend-demo',
  placeholder: 'FILE',
  variables: variablesOf('SCRIPT'),
} as const satisfies OptionSpec

/** The script that was asked for, if one was. */
export async function givenScript(file: string | undefined, io: Io): Promise<Script | undefined> {
  if (file === undefined) return undefined
  const { scriptFrom } = await import('../providers/index.ts')
  const path = file === 'example' ? exampleScript : file
  const tellLeftOut = (sentence: string): void => io.err(`prehend: ${sentence}\n`)
  return scriptFrom(parseJson(await readText(path, io), path), path, { tellLeftOut })
}
