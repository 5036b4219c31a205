import type { Client } from '../client.ts'

export const codex: Client = {
  name: 'Codex',
  dialect: 'openai-responses',
  packages: { '@openai/codex': '0.169.0' },
  program: 'codex',
  command: ['node', 'node_modules/@openai/codex/bin/codex.js'],
  args: ({ prompt }) => ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', '-m', 'gpt-4o', prompt],
  volatile: /^(?:Chunk ID: \w+|Wall time: [\d.]+ seconds)$/gm,
  demo: {
    versions: ['0.171.0'],
    args: (prompt) => ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  pointedBy: '`prehend wrap codex`, which names a provider with `-c`',
}
