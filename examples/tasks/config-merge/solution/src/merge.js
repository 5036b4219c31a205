const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Merges a layer over values; both stay as they are. `origins` is told of what each path was set by.
 */
export function merge(below, above, told) {
  return merged(below, above, [], told)
}

function merged(below, above, path, told) {
  const result = { ...below }
  for (const [member, value] of Object.entries(above)) {
    if (forbidden.has(member)) continue
    const name = member.endsWith('+') ? member.slice(0, -1) : member
    if (forbidden.has(name)) continue
    const place = [...path, name]
    const own = Object.hasOwn(result, name) ? result[name] : undefined
    if (member !== name) {
      if (!Array.isArray(value) || (own !== undefined && !Array.isArray(own)))
        throw new TypeError(`${[...path, member].join('.')} must be an array above an array`)
      result[name] = [...(own ?? []), ...copied(value)]
      told(place, own === undefined ? 'set' : 'added')
    } else if (value === null) {
      delete result[name]
      told(place, 'removed')
    } else if (isObject(value)) {
      if (!isObject(own)) told(place, 'removed')
      result[name] = merged(isObject(own) ? own : {}, value, place, told)
    } else {
      result[name] = copied(value)
      told(place, 'set')
    }
  }
  return result
}

function copied(value) {
  if (Array.isArray(value)) return value.map(copied)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (forbidden.has(name) ? [] : [[name, copied(member)]])),
  )
}
