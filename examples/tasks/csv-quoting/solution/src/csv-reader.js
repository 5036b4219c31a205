/** Reads CSV piece by piece: `push` and `end` give the rows that have become whole. */
export function csvReader(separator) {
  let rows = []
  let row = []
  let field = ''
  /** start, plain, quoted, or closed: behind a quote that may be the first of two. */
  let state = 'start'
  let [line, fieldLine, isFirst, afterReturn] = [1, 1, true, false]

  const endField = () => {
    row.push(field)
    field = ''
    state = 'start'
  }
  const endRow = () => {
    endField()
    rows.push(row)
    row = []
  }
  const fail = (why) => {
    throw new SyntaxError(`${why} in line ${fieldLine}`)
  }
  const take = (char) => {
    const isLineFeed = char === '\n' && afterReturn
    afterReturn = char === '\r'
    if ((char === '\n' && !isLineFeed) || char === '\r') line += 1
    if (state === 'quoted') {
      if (char === '"') state = 'closed'
      else field += char
      return
    }
    // The second half of a line end that has ended its row.
    if (isLineFeed && state === 'start' && field === '' && row.length === 0) return void (fieldLine = line)
    if (state === 'start') fieldLine = char === '\n' || char === '\r' ? line - 1 : line
    if (char === '"' && state === 'start') return void (state = 'quoted')
    if (char === '"' && state === 'closed') {
      field += '"'
      return void (state = 'quoted')
    }
    if (char === separator) return endField()
    if (char === '\n' || char === '\r') return endRow()
    if (state === 'closed') fail('text behind a closing quote')
    state = 'plain'
    field += char
  }
  const taken = () => {
    const whole = rows
    rows = []
    return whole
  }
  return {
    push(text) {
      for (const char of isFirst ? text.replace(/^\uFEFF/, '') : text) take(char)
      if (text !== '') isFirst = false
      return taken()
    },
    end() {
      if (state === 'quoted') fail('a quote that is never closed')
      if (state !== 'start' || row.length > 0) endRow()
      return taken()
    },
  }
}
