import { environmentLayer } from './environment.js'
import { merge } from './merge.js'

export function loadConfig({ layers, environment = {}, prefix = 'APP_' }) {
  const all = [...layers, environmentLayer(environment, prefix)]
  return { values: all.reduce((below, { values }) => merge(below, values), {}) }
}
