import type { Client } from '../client.ts'

/** What it asks of its maker beside the model, and root without a sandbox. */
const variables = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', IS_SANDBOX: '1' }

export const claudeCode: Client = {
  name: 'Claude Code',
  dialect: 'anthropic-messages',
  packages: { '@anthropic-ai/claude-code': '2.1.332' },
  needsInstallScripts: true,
  program: 'claude',
  command: ['node_modules/.bin/claude'],
  args: ({ prompt }) => ['--dangerously-skip-permissions', '-p', prompt],
  variables,
  demo: { versions: ['2.1.332'], args: (prompt) => ['--dangerously-skip-permissions', '-p', prompt] },
  pointedBy: '`prehend wrap claude`, which sets `ANTHROPIC_BASE_URL`',
}
