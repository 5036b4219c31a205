export const longestPurpose = 100

/** What a tool is for in one line: the first sentence of its description, shortened at a word. */
export function purposeOf(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  const sentence = /^.+?[.!?](?= |$)/u.exec(line)?.[0] ?? line
  if (sentence.length <= longestPurpose) return sentence
  const cut = sentence.slice(0, longestPurpose - 3)
  const end = cut.lastIndexOf(' ')
  return `${(end > longestPurpose / 2 ? cut.slice(0, end) : cut).toWellFormed()}...`
}
