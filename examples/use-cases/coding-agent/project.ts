/** A project of forty files, made up; an agent's tool would read the disk. */
export const files: readonly string[] = Array.from(
  { length: 40 },
  (_, index) => `src/module-${String(index).padStart(2, '0')}.ts`,
)

export function readFile(path: string): string {
  const index = files.indexOf(path)
  if (index < 0) return `Error: ${path} is not there`
  const lines = Array.from({ length: 120 }, (_, line) => {
    const name = `value${index}x${line}`
    return line % 6 === 0 ? `export function ${name}(input: string): number {` : `  const ${name} = input.length * ${line}`
  })
  return lines.join('\n')
}
