import { ablateCommand } from './ablate.ts'
import { artifactsCommand } from './artifacts.ts'
import { auditCommand } from './audit.ts'
import { budgetsCommand } from './budgets.ts'
import { checkPacksCommand } from './check-packs.ts'
import { compileCommand } from './compile.ts'
import { diagnoseCommand } from './diagnose.ts'
import { diffCommand } from './diff.ts'
import { doctorCommand } from './doctor.ts'
import { evalCommand } from './eval.ts'
import { exportCommand } from './export.ts'
import { helpCommand } from './help-command.ts'
import { importCommand } from './import.ts'
import { keysCommand } from './keys.ts'
import { mcpCommand } from './mcp/mcp-command.ts'
import { outcomeCommand } from './outcome.ts'
import { packsCommand } from './packs.ts'
import { policyCommand } from './policy.ts'
import { rehydrateCommand } from './rehydrate.ts'
import { replayCommand } from './replay.ts'
import { serveCommand } from './serve.ts'
import { sessionsCommand } from './sessions.ts'
import { simulateCommand } from './simulate.ts'
import { startCommand } from './start.ts'
import { tailCommand } from './tail.ts'
import { providerKeysCommand } from './provider-keys.ts'
import { tenantsCommand } from './tenants.ts'
import { toolsCommand } from './tools.ts'
import { verifyCommand } from './verify.ts'
import { wrapCommand } from './wrap.ts'
import type { Command } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand,
  wrapCommand,
  compileCommand,
  replayCommand,
  evalCommand,
  policyCommand,
  packsCommand,
  diffCommand,
  ablateCommand,
  diagnoseCommand,
  checkPacksCommand,
  sessionsCommand,
  outcomeCommand,
  artifactsCommand,
  toolsCommand,
  mcpCommand,
  keysCommand,
  auditCommand,
  budgetsCommand,
  providerKeysCommand,
  tenantsCommand,
  exportCommand,
  importCommand,
  tailCommand,
  verifyCommand,
  rehydrateCommand,
  simulateCommand,
  doctorCommand(() => commands),
  startCommand,
  helpCommand(() => commands),
]
