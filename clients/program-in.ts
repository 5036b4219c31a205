import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './client.ts'

/** The file of a client that is run, where it is installed. */
export function programIn({ command }: Client, installed: string): string {
  const file = command.find((part) => existsSync(join(installed, part)))
  if (file === undefined) throw new Error(`${command.join(' ')} is not in ${installed}`)
  return join(installed, file)
}
