import type { CompileInput, CompileResult, Manifest, Pack } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'

/** One member of a receipt that came out otherwise when it was made again. */
export interface ManifestDifference {
  readonly field: string
  readonly expected: string
  readonly actual: string
}

/** The result of `verifyManifest`. */
export interface Verification {
  readonly verified: boolean
  readonly differences: readonly ManifestDifference[]
  /** What came out this time. */
  readonly result: CompileResult
}

/** The input of `verifyManifest`: a recorded compile, and the function that compiles it again. */
export interface VerifyOptions<Input = CompileInput> {
  readonly input: Input
  readonly manifest: Manifest
  /** The pack of the receipt, where it was kept; its bytes are compared too. */
  readonly pack?: Pack
  /** Compiles the recorded input again. */
  compile(input: Input): CompileResult
}

/**
 * Compiles again from the input of a receipt and compares, member by member, in canonical form.
 *
 * ```ts
 * import { compile, evidence, verifyManifest } from 'prehend'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const input = { items, budget: { windowTokens: 8_000 }, frame: { request: 'What changed?' } }
 * const { manifest } = compile(input)
 * console.log(verifyManifest({ input, manifest, compile }).verified)
 * ```
 */
export function verifyManifest<Input = CompileInput>({
  input,
  manifest,
  pack,
  compile,
}: VerifyOptions<Input>): Verification {
  const result = compile(input)
  const differences = [
    ...differencesOf('', { ...manifest }, { ...result.manifest }),
    ...(pack === undefined ? [] : differencesOf('pack.', { ...pack }, { ...result.pack })),
  ]
  return { verified: differences.length === 0, differences, result }
}

function differencesOf(
  prefix: string,
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): readonly ManifestDifference[] {
  const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted()
  return fields
    .map((field) => ({ field: `${prefix}${field}`, expected: shown(expected[field]), actual: shown(actual[field]) }))
    .filter((difference) => difference.expected !== difference.actual)
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : stableJson(value)
}
