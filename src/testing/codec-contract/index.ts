import type { Codec } from '../../codecs/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CodecCases, CodecProperty } from './codec-cases.ts'
import { seededDraw } from './draw.ts'
import { neutralProperties } from './neutral-properties.ts'
import { replyProperties } from './reply-properties.ts'
import { requestProperties } from './request-properties.ts'

export { codecCases } from './built-in-cases.ts'
export type { CodecCases, CodecProperty } from './codec-cases.ts'
export { crossingProperties } from './crossing-properties.ts'
export type { Draw } from './draw.ts'
export type { PlainReply, WrittenReply } from './plain-reply.ts'
export { writeReply } from './replies.ts'
export { spliceTurn } from './reply-properties.ts'
export { packOf } from './request-properties.ts'

/** What has to hold for every body and reply of a dialect, to be tried with draws of one's own. */
export const codecProperties: Readonly<Record<string, CodecProperty>> = {
  ...requestProperties,
  ...replyProperties,
  ...neutralProperties,
}

/** Options of `codecContract`. */
export interface CodecContractOptions {
  /** Draws for each property. */
  readonly runs?: number
  readonly seed?: number
}

/**
 * What every codec must do, for any test runner:
 * `for (const { name, run } of codecContract(codec, cases)) it(name, run)`. A case that fails tells its seed.
 */
export function codecContract(
  codec: Codec,
  cases: CodecCases,
  { runs = 100, seed = 1 }: CodecContractOptions = {},
): readonly ContractCase[] {
  return Object.entries(codecProperties).map(([name, holds]) => ({
    name: `${codec.dialect}: ${name}`,
    async run() {
      for (let run = 0; run < runs; run += 1) {
        try {
          holds(seededDraw(seed + run), codec, cases)
        } catch (cause) {
          throw new Error(`does not hold with seed ${seed + run}: ${String(cause)}`, { cause })
        }
      }
    },
  }))
}
