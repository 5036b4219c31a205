/** A figure that comes with labelled data, to stand beside ours. */
export interface PublishedFigures {
  readonly name: string
  /** Evidence kept by tokens, counted at four characters each and without any frame. */
  readonly recall?: Readonly<Record<number, number>>
  /** Of a ranking, by name. */
  readonly ranking?: Readonly<Record<string, number>>
}

/**
 * What is known of each shape, from the data set that is written so: of its development half, which is not the reader's own data. QMSum: BM25 with
 * neighbours, and the newest turns; LoCoMo: the same; NQ-open, SciFact, tau-Banking: BM25.
 */
export const publishedFigures: Readonly<Record<string, readonly PublishedFigures[]>> = {
  'meeting': [
    { name: 'QMSum: BM25, neighbours', recall: { 1000: 0.242, 2000: 0.336, 4000: 0.528, 8000: 0.748 } },
    { name: 'QMSum: newest', recall: { 4000: 0.297 } },
  ],
  'conversation questions': [
    { name: 'LoCoMo: BM25, neighbours', recall: { 1000: 0.697, 2000: 0.777, 4000: 0.838, 8000: 0.895 } },
    { name: 'LoCoMo: newest', recall: { 4000: 0.204 } },
  ],
  'answers in passages': [{ name: 'NQ-open: BM25', ranking: { 'R@1': 0.763, 'R@10': 0.947 } }],
  'claims': [{ name: 'SciFact: BM25', ranking: { 'nDCG@10': 0.687 } }],
  'tasks with documents': [
    {
      name: 'tau-Banking: BM25',
      ranking: { 'R@10': 0.201, 'R@20': 0.274, 'R@50': 0.458, 'R@100': 0.683, 'nDCG@10': 0.196 },
    },
  ],
}

/** The same of catalogues of tools: of MetaTool's tasks those with one tool. */
export const publishedOfTools: Readonly<Record<string, readonly PublishedFigures[]>> = {
  'claims': [{ name: 'MetaTool, one tool: BM25', ranking: { 'R@1': 0.399, 'R@10': 0.691 } }],
  'turns with tools': [{ name: 'BFCL, turns: BM25', ranking: { 'R@10': 0.829 } }],
  'steps with tools': [{ name: 'LiveMCPBench: BM25', ranking: { 'R@1': 0.122, 'R@10': 0.417, 'R@20': 0.525 } }],
  'tasks with tools': [{ name: 'BFCL: BM25', ranking: { 'R@1': 0.577, 'R@10': 0.882 } }],
}
