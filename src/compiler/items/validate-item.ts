import type { Item } from '../../core/index.ts'
import { invalidInput, itemShape, shape } from '../../core/index.ts'

/** Throws `invalid-input` that names the first field of the item that is not what it should be. */
export function validateItem(item: Item, index: number): void {
  const at = `items[${index}]`
  shape.check(itemShape, item, at, { slips: true })
  const { region } = item.media ?? {}
  if (region !== undefined && !isRegion(region))
    throw invalidInput(`${at}.media.region`, 'is no part of an image', 'Give x, y, width and height in pixels.')
  if (item.section === 'reserve')
    throw invalidInput(`${at}.section`, 'is kept free for the reply', 'Put the item into another section.')
}

function isRegion(region: readonly number[]): boolean {
  const [, , width = 0, height = 0] = region
  return region.length === 4 && width >= 1 && height >= 1
}
