/** How a command of ours is typed: in a checkout npm runs it from source, elsewhere npx runs the installed one. */
export function commandName(file = import.meta.url): string {
  return file.endsWith('.ts') ? 'npm run -s prehend --' : 'npx prehend'
}
