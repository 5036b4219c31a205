import type { Item } from '../../core/index.ts'

// eslint-disable-next-line no-control-regex -- colours of terminals are what is looked for
const colour = /\u001b\[[0-9;]*m/g

/**
 * Lines by which tools say that something has failed. Written down apart from what the ladders look for, so that what they overlook
 * counts.
 */
const forms: readonly RegExp[] = [
  /^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)(?:: .*)?$/,
  /^(?:[a-z]+\.)+[Ee]rror(?::|$)/,
  /^(?:error|fatal|panic|ERROR|FATAL|Error)(?:\[[\w-]+\])?: \S/,
  /^E {2,}\S/,
  /^\S+:\d+(?::\d+)?: (?:fatal )?error: /,
  /^\S+\(\d+,\d+\): error /,
  /^npm (?:ERR!|error) /,
  /^(?:--- FAIL: |FAILED |FAIL: |ERROR: |not ok \d)/,
  /^(?:\S*\/)?(?:ba|z|da)?sh: (?:line \d+: |\d+: )?.+: (?:command not found|not found|No such file or directory|Permission denied)/,
  /^[\w./-]+: .*: (?:No such file or directory|Permission denied|Is a directory)$/,
  /^curl: \(\d+\) /,
  /^Segmentation fault/,
  /^\{.*"level": ?"(?:error|fatal)"/,
  /^HTTP\/[\d.]+ 5\d\d/,
  /^Found (?:\d+ warnings? and )?[1-9]\d* errors?\b/,
]

/** Tools that show what stands somewhere: what they quote has not happened. */
const reader = /^(?:read|view|open|cat|search|grep|glob|find|list|ls|fetch|get|str_replace_based_edit)/i
const readingCommand =
  /^(?:cd \S+ (?:&&|;) )?(?:cat|sed -n|head|tail|less|nl|grep|rg|ag|find|ls|awk|git (?:log|show|diff|blame|grep))\b/

/**
 * The lines of a result that say what has failed; none where it only shows a file, a search or a page. `call` is what was asked.
 */
export function failureStatements(result: Item, call: Item | undefined): readonly string[] {
  const lines = result.text.split('\n').map((line) => line.replaceAll(colour, '').trim())
  const flagged = flaggedMessage(result.text)
  if (flagged !== undefined) return [flagged]
  const failed = /^<returncode>(?!0<)/.test(result.text) || result.status === 'error'
  if (!failed && isReading(call)) return []
  return [...new Set(lines.filter((line) => line.length < 2000 && forms.some((form) => form.test(line))))]
}

function isReading(call: Item | undefined): boolean {
  if (call === undefined) return false
  if (reader.test(call.toolName ?? '')) return true
  const command = /"(?:command|cmd)": ?"((?:[^"\\]|\\.)*)/.exec(call.text)?.[1]
  return command !== undefined && readingCommand.test(command.trim())
}

/** The message of a result that is an MCP error. */
function flaggedMessage(text: string): string | undefined {
  if (!/"isError": ?true/.test(text)) return undefined
  const message = /"text": ?"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return message === undefined ? undefined : message.split(String.raw`\n`)[0]?.slice(0, 60)
}

/** Whether a shown text still says one of them. */
export function statesOne(shown: string, statements: readonly string[]): boolean {
  const plain = shown.replaceAll(colour, '')
  return statements.some((line) => plain.includes(line.slice(0, 80)))
}
