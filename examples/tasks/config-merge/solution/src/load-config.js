import { environmentLayers } from './environment.js'
import { merge } from './merge.js'

export function loadConfig({ layers, environment = {}, prefix = 'APP_' }) {
  /** Names of layers by path, as JSON. */
  const origins = new Map()
  const add = (values, layer) =>
    merge(values, layer.values, (path, what) => {
      const key = JSON.stringify(path)
      const inside = key.slice(0, -1) + ','
      if (what !== 'added') {
        for (const other of origins.keys()) if (other === key || other.startsWith(inside)) origins.delete(other)
      }
      if (what !== 'removed') origins.set(key, [...(origins.get(key) ?? []), layer.name])
    })
  const own = layers.reduce(add, {})
  const values = environmentLayers(environment, prefix, own).reduce(add, own)
  const order = [...layers.map(({ name }) => name), 'environment']
  return {
    values,
    originOf(path) {
      const key = JSON.stringify(path.split('.'))
      const found = [...origins].filter(([other]) => other === key || other.startsWith(key.slice(0, -1) + ','))
      if (found.length === 0) return undefined
      const [first] = found
      if (found.length === 1 && first[0] === key && first[1].length === 1) return first[1][0]
      const names = new Set(found.flatMap(([, all]) => all))
      return order.filter((name, at) => names.has(name) && order.indexOf(name) === at)
    },
  }
}
