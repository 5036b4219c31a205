/** Writes a file: its content, and a newline at the end. */
export function writeCommand(path: string, content: string): string {
  const lines = content.split('\n')
  let end = 'EOF'
  while (lines.includes(end)) end += '_'
  return [`cat > ${quoted(path)} <<'${end}'`, ...lines, end].join('\n')
}

const editProgram =
  'const [path, find, replace] = process.argv.slice(1), fs = require("fs"), text = fs.readFileSync(path, "utf8"); ' +
  'if (!text.includes(find)) throw new Error("the text to replace is not in " + path); ' +
  'fs.writeFileSync(path, text.replace(find, () => replace)); console.log("edited " + path)'

/** Replaces a text in a file, by Node: a shell alone has nothing that takes any text. */
export function editCommand(path: string, find: string, replace: string): string {
  return `node -e ${quoted(editProgram)} ${[path, find, replace].map(quoted).join(' ')}`
}

/** Makes a folder that was not there before, and shows its absolute path. Some clients refuse commands with `$(`. */
export function makeCommand(place: string, name: string): string {
  const fresh = `d=${quoted(name)}; while [ -e "$d" ]; do d="$d-2"; done`
  return `cd ${quoted(place)} && { ${fresh}; mkdir "$d" && cd "$d" && pwd; }`
}

/** The folder in which such a command makes another. */
export function placeInMakeCommand(command: string): string | undefined {
  return /cd '?(\/[^'"\n\\]+?)'? && \{ d=/.exec(command)?.[1]
}

export function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
