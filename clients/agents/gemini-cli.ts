import type { Client } from '../client.ts'

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  model: { disableLoopDetection: true, skipNextSpeakerCheck: true },
  general: { enableAutoUpdate: false },
}

export const geminiCli: Client = {
  name: 'Gemini CLI',
  dialect: 'gemini',
  packages: { '@google/gemini-cli': '0.61.0' },
  program: 'gemini',
  command: ['node_modules/.bin/gemini'],
  args: ({ prompt }) => ['-m', 'gemini-2.5-pro', '--yolo', '--skip-trust', '-p', prompt],
  files: { '.gemini/settings.json': JSON.stringify(settings) },
  demo: {
    versions: ['0.61.0'],
    args: (prompt) => ['--yolo', '--skip-trust', '-p', prompt],
    files: { '.gemini/settings.json': JSON.stringify({ security: settings.security }) },
  },
  pointedBy:
    '`prehend wrap gemini`, which sets `GOOGLE_GEMINI_BASE_URL`, with `security.auth.selectedType` `gemini-api-key` in `~/.gemini/settings.json`',
}
