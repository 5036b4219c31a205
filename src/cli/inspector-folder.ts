import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the built page lies: beside this code in an installed package, with its sources in a checkout. */
export function inspectorFolder(): string | undefined {
  return ['../inspector/', '../../inspector/dist/']
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((folder) => existsSync(`${folder}index.html`))
}
