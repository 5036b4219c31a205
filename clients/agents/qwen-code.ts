import type { Client } from '../client.ts'

export const qwenCode: Client = {
  name: 'Qwen Code',
  dialect: 'openai-chat',
  packages: { '@qwen-code/qwen-code': '0.24.4' },
  program: 'qwen',
  command: ['node_modules/.bin/qwen'],
  // With `-p` its commands run without a terminal of their own, which now and then loses what they print.
  args: ({ prompt }) => ['-m', 'gpt-4o', '--yolo', '-p', prompt],
  mcp: {
    args: (prompt) => ['-m', 'gpt-4o', '--yolo', '-p', prompt],
    files: (prehend) => ({
      '.qwen/settings.json': JSON.stringify({
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { prehend: { ...prehend, trust: true } },
        // With it, its model would have to find the tools that find tools.
        tools: { toolSearch: { enabled: false } },
      }),
    }),
  },
  files: { '.qwen/settings.json': JSON.stringify({ privacy: { usageStatisticsEnabled: false } }) },
  demo: { versions: ['0.24.4', '0.15.10'], args: (prompt) => ['--yolo', '-p', prompt] },
  pointedBy: '`prehend wrap qwen`, which sets `OPENAI_BASE_URL` and passes `--auth-type openai`',
}
