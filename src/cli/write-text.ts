import { writeFile } from 'node:fs/promises'
import { invalidInput } from '../core/index.ts'
import { errnoOf } from './listening.ts'

/** Writes a file that an option names; the option is to blame where that fails. */
export async function writeText(option: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw invalidInput(option, `${file} cannot be written (${errnoOf(error)})`, 'Name a file in a folder that exists')
  }
}
