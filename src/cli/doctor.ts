import { command } from './command.ts'
import { settingVariables } from './policy-settings.ts'
import { servingOptions, workersOption } from './serving-options.ts'
import type { Command } from './command.ts'
import type { HealthCheck } from './health-check.ts'

const marks: Readonly<Record<HealthCheck['state'], string>> = {
  ok: 'ok  ',
  warning: 'warn',
  failed: 'FAIL',
}
const colors: Readonly<Record<HealthCheck['state'], string>> = {
  ok: '\u001B[32m',
  warning: '\u001B[33m',
  failed: '\u001B[31m',
}

/** Takes the commands as a thunk, for it is one of them itself. */
export function doctorCommand(all: () => readonly Command[]): Command {
  return command({
    name: 'doctor',
    about: 'check what is configured, reachable, writable and up to date; exit code 1 where a check failed',
    details: [
      'It takes the options of serve and looks at what serve would find. Keys are never shown.',
      'Keys of tenants for providers are decrypted. Each source of tools lists its tools: programs of MCP servers are started for that, and ended.',
    ],
    options: { ...servingOptions, workers: workersOption },
    examples: ['prehend doctor', 'prehend doctor --port 9000 --json'],
    async run({ options, io }) {
      const { doctorChecks } = await import('./doctor-checks.ts')
      const checks = await doctorChecks({
        options,
        environment: io.environment,
        knownVariables: [
          ...settingVariables.keys(),
          ...all().flatMap((one) => Object.values(one.options).flatMap((spec) => spec.variables ?? [])),
        ],
        nowMs: Date.now(),
        nodeVersion: process.version,
        fetch,
      })
      const healthy = checks.every((check) => check.state !== 'failed')
      if (options.json === true) io.out(`${JSON.stringify({ ok: healthy, checks })}\n`)
      else io.out(checks.map((check) => `${line(check, io.color)}\n`).join(''))
      return healthy ? 0 : 1
    },
  })
}

function line({ name, state, detail, remedy }: HealthCheck, color: boolean): string {
  const mark = color ? `${colors[state]}${marks[state]}\u001B[0m` : marks[state]
  return `${mark} ${name.padEnd(11)} ${detail}${remedy === undefined ? '' : `. ${remedy}`}`
}
