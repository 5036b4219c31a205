import type { Client } from '../client.ts'

const opencode = {
  packages: { 'opencode-ai': '1.18.33' },
  needsInstallScripts: true,
  program: 'opencode',
  command: ['node_modules/.bin/opencode'],
  variables: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
  files: { '.config/opencode/opencode.json': JSON.stringify({ snapshot: false, lsp: false, share: 'disabled' }) },
  pointedBy: '`prehend wrap opencode`, which sets `OPENCODE_CONFIG_CONTENT`',
} as const satisfies Partial<Client>

export const opencodeOpenai: Client = {
  ...opencode,
  name: 'opencode, OpenAI',
  dialect: 'openai-responses',
  args: ({ prompt }) => ['run', '-m', 'openai/gpt-4o', prompt],
}

export const opencodeAnthropic: Client = {
  ...opencode,
  name: 'opencode, Anthropic',
  dialect: 'anthropic-messages',
  demo: { versions: ['1.18.33'], args: (prompt) => ['run', prompt] },
  args: ({ prompt }) => ['run', '-m', 'anthropic/claude-sonnet-4-5', prompt],
}
