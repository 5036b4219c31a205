const header = /^[\p{Lu}\p{Lo}][\p{L}-]{0,30}(?: [\p{L}]{1,12})?(?: ?:|：) ?\S/u
const address = /[^\s@<>]{1,64}@[^\s@<>]{1,120}\.[a-z]{2,12}\b/i
const leastHeaders = 3
const mostHeaders = 24

/** A message with its headers at the top: three and more, an address among them, and then its text. Whatever the language. */
export function isMail(head: string): boolean {
  const lines = head.split('\n', mostHeaders)
  const end = lines.findIndex((line) => line.trim() === '')
  if (end < leastHeaders) return false
  const headers = lines.slice(0, end)
  const own = headers.filter((line) => header.test(line) || /^\s+\S/.test(line))
  return (
    own.length === headers.length &&
    headers.filter((line) => header.test(line)).length >= leastHeaders &&
    headers.some((line) => address.test(line)) &&
    lines.slice(end + 1).some((line) => line.trim() !== '' && !header.test(line))
  )
}

const subject =
  /^(?:subject|betreff|objet|oggetto|asunto|assunto|onderwerp|ämne|emne|temat|тема|件名|主题|主旨|제목) ?[:：] ?\S/iu

/** What a mail says it is about, as its header says it; undefined of any other text. */
export function mailSubject(lines: readonly string[]): string | undefined {
  const head = lines.slice(0, mostHeaders)
  const found = head.find((line) => subject.test(line))
  return found !== undefined && isMail(head.join('\n')) ? found : undefined
}

export type MailPart = 'header' | 'new' | 'quoted'

const quote = /^\s{0,3}(?:>|\|\s)/
const original = /^\s{0,3}[-_=]{4,}(?: ?[\p{L} ]{4,60} ?[-_=]{4,})?\s*$/u
const introduction = /(?::|：)\s*$/

/** What each line of a mail is: its own headers, what its author wrote, or what is quoted of mails before it. */
export function mailParts(lines: readonly string[]): readonly MailPart[] {
  const from = lines.findIndex((line) => header.test(line))
  const blank = lines.findIndex((line, index) => index > from && line.trim() === '')
  const older = lines.findIndex((_, index) => index > blank && isOlder(lines, index))
  return lines.map((line, index) => {
    if (index < blank) return 'header'
    if (older !== -1 && index >= older) return 'quoted'
    return quote.test(line) || (introduction.test(line) && quote.test(lines[index + 1] ?? '')) ? 'quoted' : 'new'
  })
}

/** Where a whole mail before this one follows: a rule, then headers. */
function isOlder(lines: readonly string[], index: number): boolean {
  return original.test(lines[index] ?? '') && lines.slice(index + 1, index + 4).some((line) => header.test(line))
}
