const item = /^\s{0,40}(?:[-*•+]|\d{1,4}[.)])\s+\S/
const pair = /^\s{0,40}["'`*]{0,2}\p{L}[\p{L}\p{N}_ ./()-]{0,47}["'`*]{0,2}[:=]\s{1,8}(?<value>\S[^\n]{0,120})$/u
const mostWords = 8

/** Whether a line is an item of a list or a `key: value`: said in short already. Who speaks and what he says is neither. */
export function isStructuredLine(line: string): boolean {
  const start = line.slice(0, 240)
  if (item.test(start)) return true
  const value = pair.exec(start.trimEnd())?.groups?.['value']
  return value !== undefined && !/[.!?…]["'”’)]?$/.test(value) && value.split(/\s+/).length <= mostWords
}

const spoken = /^\s{0,12}\p{L}[\p{L}\p{N} .'-]{0,40}:\s+\S+\s+\S/u

/** Whether a line begins with who speaks, and goes on with more than a value. */
export function isSpokenLine(line: string): boolean {
  return spoken.test(line.slice(0, 120)) && !isStructuredLine(line)
}
