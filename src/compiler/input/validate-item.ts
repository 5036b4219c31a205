import type { Item } from '../../core/index.ts'
import { invalidInput, itemShape, shape } from '../../core/index.ts'

/** Throws `invalid-input` that names the first field of the item that is not what it should be. */
export function validateItem(item: Item, index: number): void {
  const at = `items[${index}]`
  shape.check(itemShape, item, at)
  if (item.section === 'reserve')
    throw invalidInput(`${at}.section`, 'is kept free for the reply', 'Put the item into another section.')
}
