#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseOptions, UsageError } from '../src/parse-options.js'
import { MovementError, readMovements } from '../src/read-movements.js'
import { renderReport } from '../src/render-report.js'
import { reportRows } from '../src/report.js'

try {
  const options = parseOptions(process.argv.slice(2))
  const movements = options.files.flatMap((file) => readMovements(readFileSync(file, 'utf8')))
  process.stdout.write(renderReport(reportRows(movements, options), options))
} catch (error) {
  if (!(error instanceof UsageError || error instanceof MovementError || error.code === 'ENOENT')) throw error
  process.stderr.write(`stocktake: ${error.message}\n`)
  process.exitCode = 1
}
