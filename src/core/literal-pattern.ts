/** The source of an expression that finds exactly this text. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*|?+()[\]{}]/g, String.raw`\$&`)
}
