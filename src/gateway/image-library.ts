import { invalidInput } from '../core/index.ts'
import type { ImageLibrary } from '../sessions/index.ts'

/** Modules that images can be made with, installed beside the gateway by whoever wants them. */
export const imageLibraries = ['sharp'] as const

/** Throws `invalid-input` where the module is not there. */
export async function imageLibrary(
  name: (typeof imageLibraries)[number] | undefined,
): Promise<ImageLibrary | undefined> {
  if (name === undefined) return undefined
  try {
    const { default: library } = await import('sharp')
    return library
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : 'it does not load'
    throw invalidInput('images', `${name} cannot be loaded: ${why}`, 'npm install sharp, or leave the setting out.')
  }
}
