import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/* Somebody asks about handbooks in several languages; the answers quote them. */

type Sentence = (chances: Chances) => string

const english: readonly Sentence[] = [
  ({ upTo }) =>
    `Employees may carry over up to ${3 + upTo(9)} days of leave into the next year, if they ask before the end of ${1 + upTo(28)} November.`,
  ({ pick, upTo }) =>
    `The ${pick(['northern', 'upper', 'old', 'lower'])} reservoir was drained in ${1890 + upTo(120)} and has been a meadow ever since.`,
  ({ pick, upTo }) =>
    `Visitors who arrive by ${pick(['bus', 'boat', 'train', 'bicycle'])} pay ${2 + upTo(20)} euros less at gate ${1 + upTo(9)}.`,
  ({ pick, upTo }) =>
    `No refund is granted for ${pick(['opened software', 'perishable goods', 'tickets of the day', 'custom orders'])} after ${7 + upTo(60)} days.`,
  ({ pick, upTo }) =>
    `${pick(['Dr Amelia Wren', 'Captain Soto', 'the elder Brandt', 'Sister Agatha'])} kept the register of ward ${1 + upTo(40)} until the flood.`,
]
const chinese: readonly Sentence[] = [
  ({ upTo, pick }) =>
    `${pick(['北京', '成都', '杭州', '厦门'])}分公司的退货期限为收货后${3 + upTo(27)}天,运费由${pick(['买方', '卖方', '仓库'])}承担。`,
  ({ upTo, pick }) =>
    `如需修改${pick(['订单', '发票', '合同', '地址'])},请在第${1 + upTo(30)}个工作日之前联系${pick(['客服', '财务部', '法务部'])}。`,
  ({ upTo, pick }) =>
    `第${1 + upTo(99)}号仓库只存放${pick(['冷冻食品', '电子元件', '易碎物品', '医疗器械'])},每周盘点${1 + upTo(5)}次。`,
  ({ upTo, pick }) =>
    `${pick(['王经理', '李工程师', '陈主任'])}负责处理编号为${100 + upTo(899)}的投诉,结果于次月公布。`,
]
const japanese: readonly Sentence[] = [
  ({ upTo, pick }) =>
    `${pick(['東京', '大阪', '札幌', '福岡'])}営業所への返品は到着後${3 + upTo(27)}日以内に限り、送料は${pick(['お客様', '当社'])}負担となります。`,
  ({ upTo, pick }) =>
    `有給休暇は${3 + upTo(12)}日まで翌年に繰り越せますが、${pick(['部長', '人事課', '総務課'])}の承認が必要です。`,
  ({ upTo, pick }) =>
    `第${1 + upTo(60)}会議室は${pick(['来客用', '面接用', '録音用'])}のため、予約なしでは使えません。`,
]
const russian: readonly Sentence[] = [
  ({ upTo, pick }) =>
    `Возврат ${pick(['билетов', 'товаров', 'приборов'])} возможен в течение ${3 + upTo(40)} дней после покупки.`,
  ({ upTo, pick }) =>
    `Склад номер ${1 + upTo(80)} закрыт до ${1 + upTo(28)} ${pick(['марта', 'июня', 'октября'])} из-за ремонта крыши.`,
]

const fillers: Readonly<Record<string, readonly string[]>> = {
  english: [
    'This chapter explains how things are done and why.',
    'See also the next chapter.',
    'The rules apply to everyone unless stated otherwise.',
  ],
  chinese: ['本章说明一般规定。', '详情请参阅下一章。', '除另有说明外,本规定适用于所有人。'],
  japanese: ['本章では一般的な規則を説明します。', '詳細は次章をご覧ください。'],
  russian: ['В этой главе изложены общие правила.', 'Подробности приведены в следующей главе.'],
}

interface Language {
  readonly name: string
  readonly sentences: readonly Sentence[]
  readonly asks: readonly [string, string]
}

const languages: readonly Language[] = [
  {
    name: 'english',
    sentences: english,
    asks: [
      'Please read the handbooks and collect the rules about leave, refunds and visitors.',
      'Which sentences speak of refunds? Quote them.',
    ],
  },
  {
    name: 'chinese',
    sentences: chinese,
    asks: ['请阅读各个手册,整理退货和仓库的规定。', '哪些句子提到退货期限?请原文引用。'],
  },
  {
    name: 'japanese',
    sentences: japanese,
    asks: ['ハンドブックを読み、返品と休暇の規則をまとめてください。', '返品についての文をそのまま引用してください。'],
  },
  {
    name: 'russian',
    sentences: russian,
    asks: ['Прочитай справочники и собери правила возврата.', 'Какие предложения говорят о возврате? Процитируй их.'],
  },
]

export const readingSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 19 + layout)
  const { upTo, pick } = chances
  const own = layout === 2 ? [languages[2], languages[3]] : [languages[0], languages[1]]
  const language = own[seed % 2] as Language
  const { user, step, answer, session } = talk(id, instructions('an assistant who answers questions about handbooks'))
  const chapters = Array.from({ length: 8 }, () => Array.from({ length: 72 }, () => pick(language.sentences)(chances)))
  user(language.asks[0])
  chapters.forEach((facts, at) => {
    step({
      tool: 'document_fetch',
      given: { name: `handbook-${at + 1}` },
      result: chapterOf({ facts, language, at, layout, chances }),
    })
    const said = pick(chapters[upTo(at + 1)] ?? facts)
    step({ tool: 'answer_note', given: { text: said }, result: 'noted' })
  })
  user(language.asks[1])
  for (const said of shuffled(chapters.flat(), upTo).slice(0, 10))
    step({ tool: 'answer_note', given: { text: said }, result: 'noted' })
  answer('noted')
  return session()
}

interface Chapter {
  readonly facts: readonly string[]
  readonly language: Language
  readonly at: number
  readonly layout: number
  readonly chances: Chances
}

function chapterOf({ facts, language, at, layout, chances: { pick, upTo } }: Chapter): string {
  const filler = fillers[language.name] ?? []
  const paragraphs: string[] = []
  for (let from = 0; from < facts.length; from += 3) {
    const mixed = shuffled([...facts.slice(from, from + 3), pick(filler), pick(filler)], upTo)
    paragraphs.push(
      layout === 1
        ? mixed.join('\n')
        : layout === 2
          ? mixed.map((one) => `- ${one}`).join('\n')
          : mixed.join(language.name === 'english' || language.name === 'russian' ? ' ' : ''),
    )
  }
  const head = layout === 1 ? `${at + 1}. ${language.name.toUpperCase()}` : `# ${at + 1}`
  return [head, ...paragraphs.map((text, index) => `${layout === 2 ? `## ${at + 1}.${index + 1}\n` : ''}${text}`)].join(
    '\n\n',
  )
}
