import { isObject } from './merge.js'

const plain = (name) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** What variables say, as layers: one each, so that the second of two meets what the first has set. */
export function environmentLayers(environment, prefix, below) {
  return Object.entries(environment).flatMap(([variable, text]) => {
    if (!variable.startsWith(prefix) || text === '' || text === undefined) return []
    const names = variable.slice(prefix.length).toLowerCase().split('__')
    let place = below
    const path = names.map((name, at) => {
      if (place !== undefined && !isObject(place)) throw new TypeError(`${variable} goes below something that is no object`)
      const known = Object.keys(place ?? {}).find((other) => other === name) ?? Object.keys(place ?? {}).find((other) => plain(other) === plain(name))
      place = known === undefined ? undefined : place[known]
      return known ?? names[at]
    })
    if (path.includes('')) return []
    const values = path.reduceRight((value, name) => ({ [name]: value }), valueOf(text))
    return [{ name: 'environment', values }]
  })
}

function valueOf(text) {
  if (!/^(?:-?[0-9]|true$|false$|null$|[[{])/.test(text)) return text
  try {
    const value = JSON.parse(text)
    return typeof value === 'number' && !Number.isFinite(value) ? text : value
  } catch {
    return text
  }
}
