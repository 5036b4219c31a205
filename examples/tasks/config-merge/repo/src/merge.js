/** Merges a layer over another one. */
export function merge(below, above) {
  for (const [name, value] of Object.entries(above)) {
    if (value === null) delete below[name]
    else if (Array.isArray(value) && Array.isArray(below[name])) below[name] = below[name].concat(value)
    else below[name] = value
  }
  return below
}
