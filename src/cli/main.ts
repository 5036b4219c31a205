import { endWithNpx } from './end-with-npx.ts'
import { processIo } from './io.ts'
import { runCli } from './run-cli.ts'

endWithNpx(process.env)
process.exitCode = await runCli(process.argv.slice(2), processIo())
