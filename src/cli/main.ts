import { startLean } from './lean-start.ts'

// Before anything else is loaded, which would be for nothing.
startLean()
const [{ endWithNpx }, { processIo }, { runCli }] = await Promise.all([
  import('./end-with-npx.ts'),
  import('./io.ts'),
  import('./run-cli.ts'),
])

endWithNpx(process.env)
process.exitCode = await runCli(process.argv.slice(2), processIo())
