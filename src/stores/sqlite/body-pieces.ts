/** Members that a message, a block or a tool begins with. */
const firstMembers = ['"role"', '"type"', '"name"']

/** A request body, cut where messages, blocks and tools begin, so that what came before is kept once. */
export function bodyPieces(body: string): string[] {
  const cuts = firstMembers.flatMap((member) => placesOf(member, body)).toSorted((a, b) => a - b)
  const pieces: string[] = []
  let from = 0
  for (const cut of cuts) {
    if (cut > from) pieces.push(body.slice(from, cut))
    from = cut
  }
  pieces.push(body.slice(from))
  return pieces
}

/** Where the objects begin whose first member it is. */
function placesOf(member: string, body: string): number[] {
  const places: number[] = []
  for (let at = body.indexOf(member); at >= 0; at = body.indexOf(member, at + member.length)) {
    let before = at - 1
    while (isBlank(body.charCodeAt(before))) before -= 1
    if (body[before] === '{') places.push(before)
  }
  return places
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
