const lorem = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.'
const words = 'The river runs slowly past the old mill and the children watch the boats go by.'

type Filling = (times: number, order: string) => string

/** Much of little, with the order behind it or in its midst. */
const fillings: Readonly<Record<string, Filling>> = {
  lorem: (times, order) => `${`${lorem} `.repeat(times)}\n\n${order}`,
  words: (times, order) => `${`${words} `.repeat(times / 2)}${order} ${`${words} `.repeat(times / 2)}`,
  lines: (times, order) => `${Array.from({ length: times }, (_, line) => `entry ${line}: ok`).join('\n')}\n${order}`,
  numbers: (times, order) => `${Array.from({ length: times }, (_, one) => String(one * 37)).join(' ')}\n${order}`,
  blanks: (times, order) => `Good morning.${'\n'.repeat(times)}${order}`,
  emoji: (times, order) => `${'🙂'.repeat(times)} ${order}`,
  orders: (times, order) => `${order}\n`.repeat(times),
  dialogue: (times, order) => Array.from({ length: times }, (_, one) => `${order} ${one}`).join('\n'),
}

export function diluted(filling: string, times: number, order: string): string {
  const fill = fillings[filling]
  if (fill === undefined) throw new Error(`no filling ${filling}`)
  return fill(times, order)
}
