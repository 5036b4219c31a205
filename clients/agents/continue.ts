import type { Client } from '../client.ts'

const config = `name: local
version: 1.0.0
schema: v1
models:
  - name: Sonnet
    provider: anthropic
    model: claude-sonnet-4-5
    apiKey: any
    apiBase: {url}/v1
    roles: [chat]
`

export const continueCli: Client = {
  name: 'Continue CLI',
  dialect: 'anthropic-messages',
  packages: { '@continuedev/cli': '1.5.47' },
  program: 'continue-cli',
  command: ['node_modules/.bin/cn'],
  args: ({ prompt }) => ['--print', '--auto', prompt],
  variables: { CONTINUE_TELEMETRY_ENABLED: '0' },
  files: { '.continue/config.yaml': config },
  demo: { versions: ['1.5.47'], args: (prompt) => ['--print', '--auto', prompt] },
  pointedBy: '`apiBase: URL/v1` in `~/.continue/config.yaml`',
}
