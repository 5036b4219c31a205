import { spawnSync } from 'node:child_process'
import { root } from './app.ts'

interface Packed {
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Files that only this repository needs. */
const ofTheRepository = /^dist\/.*[.](?:test|fixture|child)[.]|[.]map$|[.]tsbuildinfo$|(?:^|\/)[.]/
const mostPackedBytes = 6_000_000
const mostFileBytes = 2_000_000

/** `npm publish --dry-run` of the package as it was just built: no warning, and nothing in it that its users have no use for. */
export function checkPublish(): string {
  const args = ['publish', '--dry-run', '--json', '--ignore-scripts', '--tag', 'latest']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  const warnings = warningsIn(stderr)
  if (status !== 0 || warnings.length > 0)
    throw new Error(`npm publish --dry-run says\n${warnings.join('\n') || stderr}`)
  const packed = packedIn(JSON.parse(stdout.slice(stdout.indexOf('{'))))
  const faults = faultsIn(packed)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${packed.files.length} files, ${megabytes(packed.size)} packed, ${megabytes(packed.unpackedSize)} unpacked, no warning`
}

/** A dry run also warns that nobody is logged in, which says nothing of the package. */
export function warningsIn(stderr: string): readonly string[] {
  return stderr
    .split('\n')
    .filter((line) => /^npm (?:warn|error)/i.test(line) && !/requires you to be logged in/.test(line))
}

export function faultsIn({ files, size }: Packed): readonly string[] {
  const needless = files.filter(({ path }) => ofTheRepository.test(path)).map(({ path }) => `${path} is packed`)
  const large = files
    .filter((file) => file.size > mostFileBytes)
    .map((file) => `${file.path} has ${file.size} bytes, and ${mostFileBytes} is the most for a file`)
  const whole = size > mostPackedBytes ? [`the tarball has ${size} bytes, and ${mostPackedBytes} is the most`] : []
  return [...needless, ...large, ...whole]
}

/** npm gives the package itself, or the packages by name. */
function packedIn(answer: Packed | Readonly<Record<string, Packed>>): Packed {
  if (Array.isArray(answer['files'])) return answer as Packed
  const [packed] = Object.values(answer as Readonly<Record<string, Packed>>)
  if (packed === undefined) throw new Error('npm publish --dry-run names no package')
  return packed
}
