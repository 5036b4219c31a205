const imports =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{[^}]*\}).*\bfrom\b|(?:const|let|var)\s.{1,80}\brequire\(|#include\b|use\s+[\w:]+|package\s+\w|using\s+[\w.]+;)/

const definitions: readonly RegExp[] = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:public\s+|private\s+|protected\s+|internal\s+|static\s+|final\s+|pub(?:\([^)]*\))?\s+)*(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|struct|trait|impl|fn|func|def|module|namespace|mod)\s+[\w$*(<"']/,
  /^(?:export\s+)?(?:declare\s+)?type\s+\w+\s*[=<]/,
  /^export\s+(?:default\s+)?(?:const|let|var)?\s*[\w${]/,
  /^(?:const|let|var)\s+\w+\s*(?::[^=]{1,80})?=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]{1,60})?=>/,
  /^[A-Z][A-Z0-9_]{2,}\s*(?::[^=]{1,60})?=/,
]
const method =
  /^(?:\t| {2}| {4})(?:(?:public|private|protected|static|async|readonly|override|get|set|abstract)\s+)*[\w$#]+\s*(?:<[^>]{1,60}>)?\([^;]{0,200}\)?(?:\s*:\s*[^;={]{1,100})?\s*\{\s*$/
const noMethod =
  /^\s*(?:if|for|while|switch|catch|return|else|do|try|function|await|new|throw|with|elif|expect|it|describe|test)\b/

const prose = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i
const code =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|c|cc|cpp|h|hpp|swift|vue|svelte|lua|ex|exs|dart|sh)$/i

/** Tells of each of some lines of a file, by its name, whether it says what there is in it: imports, definitions, headings. */
export function definitionsIn(path: string, lines: readonly { readonly text: string }[]): readonly boolean[] {
  if (prose.test(path)) return headingsIn(lines)
  if (!code.test(path)) return []
  return lines.map(({ text }) => text.length <= longest && defines(text))
}

const longest = 300

function defines(line: string): boolean {
  if (imports.test(line) || definitions.some((form) => form.test(line))) return true
  return method.test(line) && !noMethod.test(line)
}

/** Of each line of a text whether it is a heading of Markdown. */
export function headingsIn(lines: readonly { readonly text: string }[]): readonly boolean[] {
  let isCode = false
  return lines.map(({ text }) => {
    if (/^\s{0,3}(?:```|~~~)/.test(text)) isCode = !isCode
    return !isCode && /^#{1,6} \S/.test(text)
  })
}
