/** Lines that say where something happened, besides what they may say of it. */
const placeForms: readonly RegExp[] = [
  /^\s*File "[^"]{1,300}", line \d/,
  /^\s*(?:-->|╭─\[|,-\[|┌─|╷─|❯|›) ?\S/,
  /^\s*(?:at|in|from|by|thrown in|@) .{0,300}?[\w)/\]>][:(, ]{1,2}(?:line )?\d{1,7}\b/,
  /^\s*on \S{1,200} line \d/,
  /^\s*#\d{0,3} .{0,200}[:(]\d{1,7}\)?/,
  /^\s*(?:location: |file: |\[?\w{0,10}:? ?)['"]?[^\s'"]{1,200}\.[A-Za-z]{1,6}:\d{1,7}/,
  /^\s*(?:[A-Za-z]:)?[^\s:]{0,200}[./][^\s:]{1,200}:\d{1,7}(?::\d{1,7})?(?::|\b)/,
  /^\s*\([^()]{1,60}\):\d{1,7}: /,
  /^(?:[\w./-]{1,200}):\d{1,7}: /,
  /^In \S.{0,200} line \d{1,7}:$/,
  /^\s*"(?:locations|line|path|instance|file)":/,
  /^DETAIL: /,
  /^\w*[Ff]ile:\d{1,7}$/,
]

/** A place in what somebody else wrote: the language, a package, the runner of tests. */
const libraryPlace =
  /node_modules|node:internal|node:async_hooks|\(node:|site-packages|dist-packages|\/lib\/python|lib\/ruby|<frozen|org\.junit|java\.base|\(elixir |:erlang\.|ext:\w|System\.\w+\.|\/rustc\/|libc_start|_pytest|\/usr\/(?:share|lib)\//

/** Whether a line says where, by itself. */
export function statesPlace(line: string): boolean {
  return line.length < 500 && placeForms.some((form) => form.test(line))
}

export function isLibraryPlace(line: string): boolean {
  return libraryPlace.test(line)
}

const placeInMessage =
  /(?:^|[\s("'[])[^\s:()"']{0,200}[^\s:()"'\d][:([]{1,2}\d{1,7}(?:[,:]\d{1,6})?\b|\bline \d{1,7}\b|\bport \d{2,5}\b/

/** Whether a message says where, too. */
export function holdsPlace(line: string): boolean {
  return placeInMessage.test(line.slice(0, 300))
}

const frameOfCode = /^\s*(?:\d{1,6} ?[|│]|>\s*\d{1,6} [|│]|[|│·]|[\^~]{1,}|.{0,200}[\^]~*\s*$|\s+[~^╷╵]+)/

/** Lines that show the code a message is about: with numbers before bars, or marks below it. */
export function showsCode(line: string): boolean {
  return line.length < 300 && frameOfCode.test(line)
}

const details =
  /^\s*(?:E {3,}\S|(?:Expected|Received|Actual|expected|actual|got|left|right|want|Which is|code|error|cause|reason)\b.{0,40}?:|Diff|symbol: |location: |msg:|.{0,2000}"(?:stderr|msg|message|error|err|reason|detail)":\s?"[^"])/

/** What was expected and what came, and fields that say why. */
export function statesDetail(line: string): boolean {
  return details.test(line.slice(0, 600))
}
