import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install, run } from './app.ts'

export interface InstalledNode {
  readonly version: string
  readonly file: string
}

/** One version of Node from the registry: the first of those named that can be had here. */
export function installNode(folder: string, versions: readonly string[]): InstalledNode {
  const [wanted = '', ...others] = versions
  const home = join(folder, `node-${wanted}`)
  const file = join(home, 'node_modules/node/bin/node')
  try {
    install(home, [`node@${wanted}`])
    if (!existsSync(file)) throw new Error('its package came without it')
    return { version: run(file, ['--version'], home).trim().slice(1), file }
  } catch (error) {
    if (others.length === 0) throw error
    console.log(`Node ${wanted} is not to be had here; Node ${others[0]} stands for it`)
    return installNode(folder, others)
  }
}
