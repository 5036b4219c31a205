import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { around, instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/*
 * An agent compares products of a shop in a browser: snapshots of lists and of details, then records of what it has seen.
 */

interface Product {
  readonly name: string
  readonly sku: string
  readonly price: string
  readonly stock: string
  readonly rating: string
  readonly returns: string
  readonly shipping: string
  readonly about: string
}

const makers = [
  'Northwind',
  'Alpkit',
  'Ferrino',
  'Vaude',
  'Big Agnes',
  'Helsport',
  'Sierra Peak',
  'Ölfjord',
  'Kestrel & Sons',
]
const things = [
  'Ridge 2P Tent',
  'Dome 3 Person Tent',
  'Storm Shelter',
  'Ultralight Tarp',
  'Trail Stove',
  'Down Sleeping Bag',
  'Camp Lantern',
  'Dry Sack 20 L',
]
const traits = [
  'waterproof to 3,000 mm',
  'weighs 1.9 kg',
  'packs to 42 cm',
  'aluminium poles',
  'three-season',
  'taped seams',
]
const returnsOf = [
  'free within 60 days',
  'within 30 days, 6.50 a parcel',
  'not possible for opened goods',
  'free within 14 days in shops',
]
const shippingOf = [
  'France 9.90, 3-5 working days',
  'to Germany and Austria only',
  'worldwide from 24.00',
  'free from 80.00',
]
const chrome = [
  'Camping',
  'Climbing',
  'Running',
  'Sale',
  'Gift cards',
  'Stores',
  'Sign in',
  'Basket',
  'Help & contact',
  'Careers',
  'Press',
  'Privacy notice',
]

export const browserSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 7 + layout)
  const shop = layout === 1 ? german : layout === 2 ? plain : playwright
  const { user, step, answer, session } = talk(id, instructions('a shopping assistant that drives a web browser'))
  const pages = Array.from({ length: 5 }, () => Array.from({ length: 14 }, () => productOf(chances, shop.money)))
  const all = pages.flat()
  user(
    'Find the cheapest two-person tent that is in stock and can be returned free of charge. Keep a note of each candidate with price and stock.',
  )
  pages.forEach((list, page) => {
    step({
      tool: 'browser_navigate',
      given: { url: `https://shop.example.org/tents?page=${page + 1}` },
      result: shop.list(list, page, chances),
    })
    const one = list[chances.upTo(list.length)] as Product
    step({
      tool: 'browser_click',
      given: { element: one.name, ref: `e${100 + chances.upTo(80)}` },
      result: shop.detail(one, list, chances),
    })
    // What stood on the page before is written down from it.
    const seen = shuffled(pages.slice(0, page + 1).flat(), chances.upTo)[0] as Product
    step({ tool: 'note_add', given: { title: seen.name, text: `${seen.price} ${seen.stock}` }, result: 'Saved.' })
  })
  user('Which of them had free returns, and what did shipping to France cost? Put the three best into the list.')
  for (const one of shuffled(all, chances.upTo).slice(0, 4)) {
    step({ tool: 'note_add', given: { title: one.name, text: `${one.price}; rating ${one.rating}` }, result: 'Saved.' })
    step({
      tool: 'browser_navigate',
      given: { url: `https://shop.example.org/p/${one.sku}` },
      result: shop.detail(one, all.slice(0, 6), chances),
    })
  }
  user('And the warranty? Open two more, then order nothing yet.')
  for (const one of shuffled(all, chances.upTo).slice(0, 5))
    step({
      tool: 'browser_navigate',
      given: { url: `https://shop.example.org/p/${one.sku}` },
      result: shop.detail(one, all.slice(6, 12), chances),
    })
  for (const one of shuffled(all, chances.upTo).slice(0, 6))
    step({ tool: 'note_add', given: { title: one.name, text: `${one.price} ${one.stock}` }, result: 'Saved.' })
  answer('I have kept a note of every candidate.')
  return session()
}

function productOf({ pick, upTo }: Chances, money: (cents: number) => string): Product {
  const name = `${pick(makers)} ${pick(things)} ${2019 + upTo(8)}`
  return {
    name,
    sku: `TE${10_000 + upTo(89_999)}`,
    price: money(1_900 + upTo(70_000)),
    stock: pick(['In stock', 'In stock', 'Only 3 left', 'Sold out', 'Back in May']),
    rating: `${3 + upTo(2)}.${upTo(10)} out of 5`,
    returns: pick(returnsOf),
    shipping: pick(shippingOf),
    about: `${pick(traits)}, ${pick(traits)}; a good choice where ${pick(['nights are cold', 'every gram counts', 'the ground is wet'])}.`,
  }
}

interface Shop {
  money(this: void, cents: number): string
  list(this: void, products: readonly Product[], page: number, chances: Chances): string
  detail(this: void, product: Product, others: readonly Product[], chances: Chances): string
}

/** References are numbered through, as Playwright does. */
function numbered(lines: readonly string[], first: number): string {
  let ref = first
  return lines.map((line) => line.replace('§', () => `[ref=e${(ref += 1)}]`)).join('\n')
}

const frame = (title: string, url: string, body: readonly string[], chances: Chances): string =>
  [
    '### Page state',
    `- Page URL: ${url}`,
    `- Page Title: ${title}`,
    '- Page Snapshot:',
    '```yaml',
    numbered(
      [
        '- generic § [active]:',
        '  - banner §:',
        '    - link "Alpine Outfitters" § [cursor=pointer]:',
        '      - /url: /',
        '    - navigation "Main" §:',
        '      - list §:',
        ...chrome.flatMap((label) => [
          '        - listitem §:',
          `          - link "${label}" § [cursor=pointer]:`,
          `            - /url: /${label.toLowerCase().replaceAll(/\W+/g, '-')}`,
        ]),
        ...body.map((line) => `  ${line}`),
        '  - contentinfo §:',
        ...chrome.map((label) => `    - link "${label} ›" § [cursor=pointer]`),
      ],
      2 + chances.upTo(40),
    ),
    '```',
  ].join('\n')

const playwright: Shop = {
  money: (cents) => `$${(cents / 100).toFixed(2)}`,
  list: (products, page, chances) =>
    frame(
      `Tents, page ${page + 1}`,
      `https://shop.example.org/tents?page=${page + 1}`,
      [
        '- main §:',
        '  - heading "Tents" [level=1] §',
        ...products.flatMap((one) => [
          '  - article §:',
          `    - link "${one.name}" § [cursor=pointer]:`,
          `      - /url: /p/${one.sku}`,
          `    - generic §: ${one.price}`,
          `    - generic §: ${one.stock}`,
          `    - img "${one.rating}" §`,
        ]),
      ],
      chances,
    ),
  detail: (one, others, chances) =>
    frame(
      one.name,
      `https://shop.example.org/p/${one.sku}`,
      [
        '- main §:',
        `  - heading "${one.name}" [level=1] §`,
        `  - generic §: ${one.price}`,
        `  - generic §: ${one.stock}`,
        '  - region "Details" §:',
        `    - paragraph §: ${one.about}`,
        `    - text: "Returns: ${one.returns}"`,
        `    - text: "Shipping: ${one.shipping}"`,
        '    - button "Add to basket" § [cursor=pointer]',
        '  - region "Others also looked at" §:',
        ...others
          .slice(0, 6)
          .flatMap((other) => [
            `    - link "${other.name}" § [cursor=pointer]:`,
            `      - /url: /p/${other.sku}`,
            `    - generic §: ${other.price}`,
          ]),
      ],
      chances,
    ),
}

const german: Shop = {
  money: (cents) => `${(cents / 100).toFixed(2).replace('.', ',')} €`,
  list: (products, page, chances) =>
    frame(
      `Zelte – Seite ${page + 1}`,
      `https://shop.example.org/tents?page=${page + 1}`,
      [
        '- list §:',
        ...products.flatMap((one, at) => [
          `  - listitem "${one.name} ${one.price}" §:`,
          `    - link "${one.name}" §:`,
          `      - /url: https://shop.example.org/p/${one.sku}?pos=${at}`,
          `    - strong §: ${one.price}`,
          `    - text: ${one.stock}. Bewertung ${one.rating}`,
        ]),
      ],
      chances,
    ),
  detail: (one, others, chances) =>
    frame(
      one.name,
      `https://shop.example.org/p/${one.sku}`,
      [
        `- heading "${one.name}" [level=1] §`,
        '- table §:',
        `  - row "Preis ${one.price}" §`,
        `  - row "Lager ${one.stock}" §`,
        `  - row "Rückgabe ${one.returns}" §`,
        `  - row "Versand ${one.shipping}" §`,
        `- paragraph §: ${one.about}`,
        ...others.slice(0, 8).map((other) => `- link "${other.name}, ${other.price}" §`),
      ],
      chances,
    ),
}

/** As tools show a page that number what can be clicked. */
const plain: Shop = {
  money: (cents) => `£${(cents / 100).toFixed(2)}`,
  list: (products, page, { upTo }) =>
    [
      `Current url: https://shop.example.org/tents?page=${page + 1}`,
      'Interactive elements from top layer of the current page inside the viewport:',
      '[Start of page]',
      ...chrome.map((label, at) => `[${at}]<a>${label} />`),
      ...products.flatMap((one, at) => [
        `[${12 + at * 2}]<a aria-label=product>${one.name} />`,
        one.price,
        `${one.stock} · ${one.rating}`,
        `[${13 + at * 2}]<button>Compare />`,
      ]),
      `... ${120 + upTo(900)} pixels below - scroll to see more ...`,
    ].join('\n'),
  detail: (one, others, { upTo }) =>
    [
      `Current url: https://shop.example.org/p/${one.sku}`,
      ...chrome.map((label, at) => `[${at}]<a>${label} />`),
      one.name,
      `Price ${one.price}`,
      one.stock,
      one.about,
      `Returns ${one.returns}`,
      `Shipping ${one.shipping}`,
      '[14]<button>Add to basket />',
      'Customers also bought',
      ...others.slice(0, 6).flatMap((other, at) => [`[${15 + at}]<a>${other.name} />`, other.price]),
      `[${around(chrome, upTo(9))}]`,
    ].join('\n'),
}
