import { chancesOf } from '../seeded-random.ts'
import type { Chances } from '../seeded-random.ts'
import { instructions, shuffled, talk } from './talk.ts'
import type { SessionMaker } from './talk.ts'

/* An assistant reads mail threads and documents, and answers with what stood in them. */

interface Person {
  readonly name: string
  readonly mail: string
}

const people: readonly Person[] = [
  ['Margit Hofstätter', 'm.hofstaetter'],
  ['Jonas Lindqvist', 'jonas.l'],
  ['Aoife Ní Bhriain', 'aoife'],
  ['Rahul Deshpande', 'rdeshpande'],
  ['Chiara Bellandi', 'c.bellandi'],
  ['Tom Okafor', 'tokafor'],
].map(([name = '', mail = '']) => ({ name, mail: `${mail}@example.org` }))

const matters = [
  'the flat in Elm Street',
  'the kitchen',
  'the deposit',
  'the annual meeting',
  'the insurance claim',
  'the roof repair',
  'the new contract',
  'parking spaces',
]
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'September', 'October', 'November']
const asides = [
  'I hope you had a pleasant weekend.',
  'Sorry that it took me so long to come back to you.',
  'Please excuse the brevity, I am on the train.',
  'As always, let me know if anything is unclear.',
  'We talked about it briefly on the phone.',
]

/** A sentence that a later step may need. */
function fact({ upTo, pick }: Chances, matter: string): string {
  const sum = `${pick(['£', '€', '$'])}${1 + upTo(9)},${100 + upTo(899)}.${10 + upTo(89)}`
  const date = `${1 + upTo(28)} ${pick(months)} 2026`
  return pick([
    `For ${matter} they ask for ${sum}, payable by ${date}.`,
    `${pick(people).name} has agreed to take over ${matter} from ${date}.`,
    `The quote for ${matter} came to ${sum} including VAT.`,
    `We cannot accept the terms for ${matter} unless the notice period is ${2 + upTo(9)} weeks.`,
    `${matter[0]?.toUpperCase()}${matter.slice(1)} must be settled before ${date}, otherwise the offer lapses.`,
  ])
}

interface Mail {
  readonly from: Person
  readonly to: Person
  readonly subject: string
  readonly at: string
  readonly facts: readonly string[]
  readonly body: string
}

function mailOf(chances: Chances, matter: string, at: number): Mail {
  const { pick, upTo } = chances
  const facts = Array.from({ length: 2 }, () => fact(chances, matter))
  const lines = shuffled([...facts, ...shuffled(asides, upTo).slice(0, 3)], upTo)
  return {
    from: pick(people),
    to: pick(people),
    subject: `Re: ${matter}`,
    at: `2026-0${1 + (at % 9)}-${String(1 + upTo(28)).padStart(2, '0')}T${String(8 + upTo(10)).padStart(2, '0')}:${String(10 + upTo(49))}:00Z`,
    facts,
    body: lines.join(pick([' ', '\n', '\n\n'])),
  }
}

type Writer = (mails: readonly Mail[]) => string

const quoted = (mail: Mail): string =>
  mail.body
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

const headers: Writer = (mails) =>
  mails
    .map((mail, at) => {
      const older = mails[at + 1]
      const quote =
        older === undefined ? '' : `\n\nOn ${older.at.slice(0, 10)}, ${older.from.name} wrote:\n${quoted(older)}`
      return `From: ${mail.from.name} <${mail.from.mail}>\nTo: ${mail.to.name} <${mail.to.mail}>\nDate: ${mail.at}\nSubject: ${mail.subject}\n\n${mail.body}\n\nBest regards,\n${mail.from.name}${quote}`
    })
    .join('\n\n----------------------------------------\n\n')

const asJson: Writer = (mails) =>
  JSON.stringify(
    {
      thread: mails.map((mail) => ({
        id: `msg-${mail.at}`,
        from: `${mail.from.name} <${mail.from.mail}>`,
        subject: mail.subject,
        date: mail.at,
        snippet: mail.body.slice(0, 60),
        body: mail.body,
        labels: ['INBOX', 'IMPORTANT'],
      })),
    },
    undefined,
    2,
  )

const asMarkdown: Writer = (mails) =>
  mails
    .map(
      (mail) =>
        `## ${mail.subject}\n**${mail.from.name}** to ${mail.to.name}, ${mail.at.slice(0, 10)}\n\n${mail.body}\n`,
    )
    .join('\n')

export const officeSession: SessionMaker = ({ id, seed, layout }) => {
  const chances = chancesOf(seed * 11 + layout)
  const { pick, upTo } = chances
  const write = [headers, asJson, asMarkdown][layout] ?? headers
  const { user, step, answer, session } = talk(
    id,
    instructions('an assistant in an office with access to mail and documents'),
  )
  const threads = shuffled(matters, upTo).map((matter) => ({
    matter,
    mails: Array.from({ length: 5 }, (_, at) => mailOf(chances, matter, at)),
  }))
  user(
    `Go through the mail about ${threads
      .map(({ matter }) => matter)
      .slice(0, 4)
      .join(', ')} and draft answers to what is open.`,
  )
  threads.forEach(({ matter, mails }, at) => {
    const listed = threads.flatMap((thread) =>
      thread.mails.map((mail) => `${mail.at.slice(0, 10)}  ${mail.from.name.padEnd(20)}  ${thread.matter}`),
    )
    step({
      tool: 'mail_search',
      given: { query: matter, limit: 40 },
      result: shuffled(listed, upTo).slice(0, 24).join('\n'),
    })
    step({ tool: 'mail_read', given: { thread: `t-${at}` }, result: write(mails) })
    const before = threads[upTo(at + 1)] ?? threads[0]
    const said = pick(before?.mails ?? []).facts[upTo(2)] ?? ''
    step({
      tool: 'draft_write',
      given: { to: pick(people).mail, text: `Dear all,\nYou wrote: "${said}" I take note of it.` },
      result: 'Draft saved.',
    })
  })
  user(
    `Now quote the mails on ${threads[1]?.matter} and ${threads[0]?.matter} word for word, with what is due and when.`,
  )
  for (const { mails, matter } of [...threads.slice(0, 2), ...shuffled(threads, upTo).slice(0, 4)]) {
    const said = pick(mails).facts[upTo(2)] ?? ''
    step({
      tool: 'document_append',
      given: { title: `Notes on ${matter}`, text: said },
      result: `Appended ${said.length} characters.`,
    })
    step({
      tool: 'calendar_list',
      given: { month: pick(months) },
      result: Array.from(
        { length: 12 },
        () => `${1 + upTo(28)} ${pick(months)}: ${pick(people).name}, ${pick(matters)}`,
      ).join('\n'),
    })
  }
  answer('All drafts are saved.')
  return session()
}
