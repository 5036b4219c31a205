import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

interface Package {
  readonly exports: Readonly<Record<string, { readonly types: string } | string>>
}

const { exports: published } = JSON.parse(readFileSync('package.json', 'utf8')) as Package

/** What somebody outside may import: a promise, so that each change of it is one that was meant. */
it.each(Object.keys(published).filter((path) => path !== './package.json'))('the names of prehend%s', async (path) => {
  const door = sourceOf(path)
  const values = Object.keys((await import(door)) as object)
  const types = Array.from(readFileSync(door, 'utf8').matchAll(/^export type \{([^}]*)\}/gm), ([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  ).flat()
  const names = [...values, ...types.filter((name) => name !== '').map((name) => `type ${name}`)]
  const file = resolve(import.meta.dirname, 'fixtures/published-names', `${path.replace(/\W+/g, '') || 'index'}.txt`)
  await expect(`${names.toSorted().join('\n')}\n`).toMatchFileSnapshot(file)
})

/** What the build makes the published file of. */
function sourceOf(path: string): string {
  const { types = '' } = published[path] as { readonly types?: string }
  return resolve(import.meta.dirname, types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'))
}
