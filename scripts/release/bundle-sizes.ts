import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

export interface BundleSize {
  readonly name: string
  readonly bytes: number
  readonly gzipBytes: number
  /** More is a failure of the release check. */
  readonly maxBytes: number
  /** Files of the bundle, the largest first. */
  readonly inputs: readonly { readonly path: string; readonly bytes: number }[]
}

interface Program {
  readonly name: string
  readonly text: string
  readonly maxBytes: number
}

const core = "export { createCompiler, heuristicTokenizer } from 'prehend/core'"

/** A limit is the size of 2026-11-28 and 3% more. A change that needs more raises its limit and the table of docs/bundle-size.md. */
const programs: readonly Program[] = [
  { name: '`createCompiler` of `prehend/core`', text: core, maxBytes: 280_000 },
  {
    name: 'the same with `ladderFor`',
    text: `${core}; export { ladderFor } from 'prehend'`,
    maxBytes: 455_000,
  },
  {
    name: 'the same with `conversations`',
    text: `${core}; export { conversations } from 'prehend/core'; export { ladderFor } from 'prehend'`,
    maxBytes: 581_000,
  },
  { name: '`compile` of `prehend`', text: "export { compile } from 'prehend'", maxBytes: 678_000 },
  { name: '`openSession` of `prehend`', text: "export { openSession } from 'prehend'", maxBytes: 1_285_000 },
]

/** Where `prehend` is looked up: an installed package, or the source by file. */
export interface BundledFrom {
  readonly folder: string
  readonly alias?: Readonly<Record<string, string>>
  readonly platform: 'node' | 'browser'
}

/** Minified bytes of programs that export one thing of the library each. */
export function bundleSizes({ folder, alias = {}, platform }: BundledFrom): Promise<readonly BundleSize[]> {
  return Promise.all(
    programs.map(async ({ name, text, maxBytes }) => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: text, resolveDir: folder, loader: 'ts' },
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        format: 'esm',
        platform,
        alias,
        logLevel: 'silent',
        outfile: 'bundle.js',
      })
      const [{ contents } = { contents: new Uint8Array() }] = outputFiles
      const [output] = Object.values(metafile.outputs)
      const inputs = Object.entries(output?.inputs ?? {})
        .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
        .toSorted((one, other) => other.bytes - one.bytes)
      return { name, bytes: contents.length, gzipBytes: gzipSync(contents).length, maxBytes, inputs }
    }),
  )
}
