import { parseArgs } from 'node:util'

/** Raised for a command line that makes no sense. */
export class UsageError extends Error {
  /** @param {string} problem */
  constructor(problem) {
    super(`${problem}\nusage: stocktake FILE… [--by warehouse|article] [--on DATE] [--low N] [--csv]`)
    this.name = 'UsageError'
  }
}

/** @param {readonly string[]} args */
export function parseOptions(args) {
  const { values, positionals } = parsed(args)
  if (positionals.length === 0) throw new UsageError('name at least one file')
  const by = values.by ?? 'article'
  if (by !== 'article' && by !== 'warehouse') throw new UsageError(`--by ${by}: use warehouse or article`)
  const low = values.low === undefined ? undefined : Number(values.low)
  if (low !== undefined && !(low >= 0)) throw new UsageError(`--low ${values.low}: not a number`)
  return { files: positionals, by, csv: values.csv ?? false, on: values.on, low }
}

function parsed(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        by: { type: 'string' },
        on: { type: 'string' },
        low: { type: 'string' },
        csv: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error.message)
  }
}
