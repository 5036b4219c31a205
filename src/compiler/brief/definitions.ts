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
const noMethod = /^\s*(?:if|for|while|switch|catch|return|else|do|try|function|await|new|throw|with|elif|expect|it|describe|test)\b/

const prose = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i
const code = /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|c|cc|cpp|h|hpp|swift|vue|svelte|lua|ex|exs|dart|sh)$/i

/** Tells of the lines of a file, by its name, which ones say what there is in it: imports, definitions, headings. */
export function definitionsOf(path: string): ((line: string) => boolean) | undefined {
  if (prose.test(path)) return (line) => /^#{1,6} \S/.test(line)
  if (!code.test(path)) return undefined
  return (line) => {
    if (line.length > 300) return false
    if (imports.test(line) || definitions.some((form) => form.test(line))) return true
    return method.test(line) && !noMethod.test(line)
  }
}
