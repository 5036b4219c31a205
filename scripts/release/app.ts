import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** An empty project in which the package is installed as somebody outside would install it. */
export interface App {
  readonly folder: string
  /** What `import` names: `prehend`, `prehend/gateway` and so on. */
  readonly entries: readonly string[]
  /** The file that `prehend` runs. */
  readonly command: string
  /** The least Node that the package promises to run on, such as `22.19`. */
  readonly leastNode: string
}

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly bin: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
}

/** What a program prints; throws with what it said where it fails. */
export function run(file: string, args: readonly string[], cwd: string): string {
  return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const quietly = ['--no-audit', '--no-fund', '--loglevel=error']

/** Installs packages into a project of their own, which is made when missing. */
export function install(folder: string, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  // The one package here whose script is needed brings a Node.
  const manifest = { private: true, type: 'module', allowScripts: { node: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  run('npm', ['install', '--prefer-offline', ...quietly, ...packages], folder)
}

/** Packs the package as `npm publish` would, build included, and installs the tarball. */
export function packedApp(folder: string): App {
  const packed = run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], root)
  const [{ filename }] = JSON.parse(packed.replace(/^[^[]*/, '')) as [{ readonly filename: string }]
  const app = join(folder, 'app')
  install(app, [join(folder, filename)])
  const installed = join(app, 'node_modules/prehend')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest
  const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json')
  return {
    folder: app,
    entries: paths.map((path) => path.replace(/^\./, 'prehend')),
    command: join(installed, manifest.bin['prehend'] ?? ''),
    leastNode: manifest.engines.node.replace(/^>=/, ''),
  }
}
