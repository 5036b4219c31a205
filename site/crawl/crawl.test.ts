import { expect, it } from 'vitest'
import { contentPolicy } from './content-policy.ts'
import { crawl } from './crawl.ts'
import { readCss, readHtml } from './read-html.ts'

const sidebar = (...links: readonly string[]): string =>
  `<aside class="VPSidebar" data-v-1><nav>${links.map((link) => `<a class="x" href="${link}">x</a>`).join('')}</nav></aside>`
const page = (body: string, links: readonly string[] = ['/', '/a.html']): string =>
  `<html><head><meta http-equiv="Content-Security-Policy" content="${contentPolicy}"></head><body>${sidebar(...links)}${body}</body></html>`

const whole = new Map<string, string | undefined>([
  ['index.html', page('<h1 id="top">Top</h1><a href="/a.html#part">a</a><a href="https://example.com/">out</a>')],
  [
    'a.html',
    page('<h2 class="h" id="part" tabindex="-1">Part</h2><a href="./">home</a><img alt="" src="/assets/p.png">'),
  ],
  ['404.html', page('<a href="/">home</a>', [])],
  ['assets/p.png', undefined],
  ['assets/f.woff2', undefined],
  ['assets/style.css', '@font-face{src:url(/assets/f.woff2)}a{background:url("data:image/svg+xml,%3Csvg%3E")}'],
])
const faultsWith = (name: string, text: string): readonly string[] => crawl(new Map([...whole, [name, text]])).faults

it('finds no fault in a whole site, and counts its pages and the links between them', () => {
  expect(crawl(whole)).toEqual({ pages: 3, links: 7, faults: [] })
})

it('finds a broken link, a missing anchor and a missing picture', () => {
  const body = '<a href="b.html">b</a><a href="a.html#gone">a</a><img src="no.png"><a href="#nowhere">x</a>'
  expect(faultsWith('index.html', page(body))).toEqual([
    'index.html: the link b.html leads nowhere',
    'index.html: the link a.html#gone names an anchor that a.html does not have',
    'index.html: the link #nowhere names an anchor that index.html does not have',
    'index.html loads no.png, which does not exist',
  ])
})

it('takes what code shows for text', () => {
  expect(faultsWith('index.html', page('<code>&lt;a href="gone.html"&gt;</code>'))).toEqual([])
})

it('finds a page outside the sidebar, and one that stands there twice', () => {
  expect(faultsWith('new.html', page(''))).toEqual([
    'new.html stands 0 times in the sidebar, not once; see site/navigation/sections.ts',
  ])
  expect(faultsWith('a.html', page('<i id="part"></i>', ['/', '/a', '/a.html']))).toEqual([
    'a.html stands 2 times in the sidebar, not once; see site/navigation/sections.ts',
  ])
})

it('finds what is loaded from another host', () => {
  const body =
    '<script src="https://cdn.example.com/x.js"></script><img src="/assets/p.png" srcset="//i.example.com/p.png 2x">'
  expect(faultsWith('index.html', page(body))).toEqual([
    'index.html loads https://cdn.example.com/x.js from another host',
    'index.html loads //i.example.com/p.png from another host',
  ])
  expect(faultsWith('assets/style.css', '@import "https://fonts.example.com/inter.css";')).toEqual([
    'assets/style.css loads https://fonts.example.com/inter.css from another host',
  ])
})

it('finds a page whose browser would be free to ask other hosts', () => {
  expect(faultsWith('404.html', '<html></html>')).toEqual(['404.html does not carry the content policy of the site'])
})

it('follows links below the path that the site is served at', () => {
  const site = new Map([
    ['index.html', page('<a href="/docs/a.html">a</a><a href="/a.html">a</a>', ['/docs/', '/docs/a.html'])],
    ['a.html', page('', ['/docs/', '/docs/a.html'])],
  ])
  expect(crawl(site, '/docs/').faults).toEqual(['index.html: the link /a.html leads nowhere'])
})

it('reads attributes in any order, and decodes them', () => {
  const { anchors, links } = readHtml('<a data-x="1" id="n" href="/x?a=1&amp;b=2">x</a><abbr id="m">y</abbr>')
  expect([[...anchors], links]).toEqual([['n', 'm'], ['/x?a=1&b=2']])
})

it('reads addresses of style sheets, quoted and bare', () => {
  expect(readCss("a{b:url(x.png)}c{d:url('y.png')}@import 'z.css';")).toEqual(['x.png', 'y.png', 'z.css'])
})
