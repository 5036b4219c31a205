// Checks that each package-lock.json installs on every platform from the public registry; --fix adds what is missing.
// npm leaves out platform packages that the registry in use could not serve, and `npm ci` then fails everywhere.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  /** Of a workspace: its folder stands in `resolved`. */
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Packages = Readonly<Record<string, LockedPackage>>

const root = resolve(import.meta.dirname, '..')
const files = ['package-lock.json', 'site/package-lock.json']
const platform =
  /(?<os>aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(?<cpu>arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)(?:-(?<libc>gnu|musl))?/
const libcNames: Readonly<Record<string, string>> = { gnu: 'glibc', musl: 'musl' }

/** Path and entry of each optional dependency that no entry stands for. */
function missingEntries(packages: Packages): readonly (readonly [string, LockedPackage])[] {
  return Object.entries(packages).flatMap(([owner, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !(`node_modules/${name}` in packages) && !(`${owner}/node_modules/${name}` in packages))
      .map(([name, version]) => [`node_modules/${name}`, platformEntry(name, version, entry)] as const),
  )
}

function platformEntry(name: string, version: string, owner: LockedPackage): LockedPackage {
  const { os, cpu, libc } = platform.exec(name)?.groups ?? {}
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(owner.dev === true ? { dev: true } : {}),
    ...(libc === undefined ? {} : { libc: [libcNames[libc] ?? libc] }),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  }
}

function problems(packages: Packages): readonly string[] {
  const direct = Object.fromEntries(
    Object.entries(packages)
      .filter(([path]) => !path.includes('node_modules/'))
      .flatMap(([, { dependencies, devDependencies }]) => Object.entries({ ...dependencies, ...devDependencies })),
  )
  return [
    ...missingEntries(packages).map(([path]) => `${path} is missing; run: npm run check:lock -- --fix`),
    ...Object.entries(packages)
      .filter(
        ([, { resolved, link }]) =>
          link !== true && resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
      )
      .map(([path]) => `${path} is resolved from another place than the public registry`),
    ...Object.entries(direct)
      .filter(([, version]) => !/^(?:npm:(?:@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+/.test(version))
      .map(([name, version]) => `${name} is not pinned exactly: ${version}`),
  ]
}

/** With entries for the optional dependencies that none stands for, in the order of npm, which keeps its next write small. */
function completed(packages: Packages): Packages {
  const { compare } = new Intl.Collator('en')
  const all = [...Object.entries(packages), ...missingEntries(packages)]
  return Object.fromEntries(all.toSorted(([a], [b]) => compare(a, b)))
}

for (const file of files) {
  const read = JSON.parse(readFileSync(resolve(root, file), 'utf8')) as { readonly packages: Packages }
  const lock = process.argv.includes('--fix') ? { ...read, packages: completed(read.packages) } : read
  if (lock !== read) writeFileSync(resolve(root, file), `${JSON.stringify(lock, undefined, 2)}\n`)
  const found = problems(lock.packages)
  for (const problem of found) console.error(`${file}: ${problem}`)
  if (found.length > 0) process.exitCode = 1
}
