import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Client } from './client.ts'
import { installPython } from './install-python.ts'
import { runProcess } from './run-process.ts'

/** What the packages themselves depend on is taken as it was on this day. */
const asOf = '2026-11-26'

const frameworks = join(import.meta.dirname, 'frameworks')

/** Installs a client in a folder of its own, below `place`, unless it is there; gives the folder. */
export function install(client: Client, place: string, name = client.program): Promise<string> {
  const { packages, needsInstallScripts, language } = client
  const ending = language === 'python' ? '.py' : '.mjs'
  const files = readdirSync(frameworks).flatMap((file) => (file.endsWith(ending) ? [join(frameworks, file)] : []))
  if (language === 'python') return installPython({ name, packages, place, files })
  return installPackages({
    name,
    packages,
    place,
    asOf,
    files,
    ...(needsInstallScripts && { needsInstallScripts }),
  })
}

interface Wanted {
  /** Of the folder. */
  readonly name: string
  /** Exact versions by name. */
  readonly packages: Readonly<Record<string, string>>
  readonly place: string
  readonly asOf: string
  /** Copied beside the packages, to be run there. */
  readonly files: readonly string[]
  readonly needsInstallScripts?: boolean
}

/** Installs packages in a folder of their own, below `place`, unless they are there; gives the folder. */
export async function installPackages(wanted: Wanted): Promise<string> {
  const { name, packages: dependencies, place, asOf: day, files, needsInstallScripts = false } = wanted
  const folder = join(place, name)
  const manifest = JSON.stringify({ private: true, dependencies, asOf: day })
  const stamp = join(folder, '.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== manifest) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), manifest)
    const scripts = needsInstallScripts ? [] : ['--ignore-scripts']
    const args = ['install', ...scripts, `--before=${day}`, '--no-audit', '--no-fund', '--loglevel=error']
    const { code, output } = await runProcess('npm', args, { cwd: folder, timeoutMs: 180_000 })
    if (code !== 0) throw new Error(`npm install of ${name} ended with ${code}:\n${output}`)
    writeFileSync(stamp, manifest)
  }
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
  return folder
}
