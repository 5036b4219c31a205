/** By command line: what lets an agent run commands and write files without asking, where it does not do so by itself. */
export const permittingOptions: Readonly<Record<string, string>> = {
  'claude': '--permission-mode acceptEdits --allowedTools Bash Edit Write Read Grep Glob',
  'codex exec': '-s workspace-write',
  'gemini': '--yolo --skip-trust',
  'qwen': '--yolo',
  'cn': '--auto',
}

/** The same for a sentence, in backticks. */
export function permittingText(): string {
  return Object.entries(permittingOptions)
    .map(([agent, options]) => `\`${agent} ${options}\``)
    .join('; ')
}
