import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './client.ts'
import { runProcess } from './run-process.ts'

/** What the packages themselves depend on is taken as it was on this day. */
const asOf = '2026-11-26'

const frameworks = join(import.meta.dirname, 'frameworks')

/** Installs a client in a folder of its own, below `place`, unless it is there; gives the folder. */
export async function install(client: Client, place: string, folderName = client.program): Promise<string> {
  const folder = join(place, folderName)
  const wanted = JSON.stringify({ private: true, dependencies: client.packages, asOf })
  const stamp = join(folder, '.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), wanted)
    const scripts = client.needsInstallScripts === true ? [] : ['--ignore-scripts']
    const args = ['install', ...scripts, `--before=${asOf}`, '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } = await runProcess('npm', args, { cwd: folder, timeoutMs: 180_000 })
    if (code !== 0) throw new Error(`npm install of ${client.name} ended with ${code}:\n${output}`)
    writeFileSync(stamp, wanted)
  }
  for (const file of readdirSync(frameworks).filter((name) => name.endsWith('.mjs'))) {
    copyFileSync(join(frameworks, file), join(folder, file))
  }
  return folder
}
