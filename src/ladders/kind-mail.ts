const header = /^[\p{Lu}\p{Lo}][\p{L}-]{0,30}(?: [\p{L}]{1,12})?(?: ?:|：) ?\S/u
const address = /[^\s@<>]{1,64}@[^\s@<>]{1,120}\.[a-z]{2,12}\b/i
const leastHeaders = 3

/** A message with its headers at the top: three and more, an address among them, and then its text. Whatever the language. */
export function isMail(head: string): boolean {
  const lines = head.split('\n', 24)
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
