/** A statement, and whether it follows from a text; what follows in other words is marked, since no words tell it. */
export interface LabelledPair {
  readonly premise: string
  readonly statement: string
  readonly follows: boolean
  readonly inOtherWords?: boolean
}

const incident = `The deploy of 14 March failed because the migration locked the table orders for 90 seconds.
Rollback took 4 minutes. No customer data was lost.
The on-call engineer, Mira Okafor, paused the queue at 09:42 and restarted the worker pool.
Retries are capped at 5, and the timeout of the gateway is 30 seconds.
Do not raise pool_size above 40 without asking the database team.`

const settings = `retries: 5
timeout_ms: 30000
region: eu-west-1
- Enable tracing only in staging.
- Keep logs for 14 days.`

const study = `The treatment reduced relapse by 32% in adults older than 65. It had no effect on children.
Mice lacking the gene did not develop tumours. Binding of the ligand increases expression of IL-6.`

const yes = (premise: string, ...statements: readonly string[]): readonly LabelledPair[] =>
  statements.map((statement) => ({ premise, statement, follows: true }))
const no = (premise: string, ...statements: readonly string[]): readonly LabelledPair[] =>
  statements.map((statement) => ({ premise, statement, follows: false }))
const inOtherWords = (premise: string, ...statements: readonly string[]): readonly LabelledPair[] =>
  statements.map((statement) => ({ premise, statement, follows: true, inOtherWords: true }))

export const labelledPairs: readonly LabelledPair[] = [
  ...yes(
    incident,
    'Rollback took 4 minutes.',
    'The migration locked the table orders for 90 seconds.',
    'No customer data was lost.',
    'Mira Okafor paused the queue at 09:42.',
    'The worker pool was restarted.',
    'Retries are capped at 5.',
    'The timeout of the gateway is 30 seconds.',
    'The deploy of 14 March failed.',
    'Do not raise pool_size above 40.',
    'The on-call engineer restarted the worker pool.',
    'The migration locked the table.',
  ),
  ...no(
    incident,
    'Rollback took 5 minutes.',
    'The migration locked the table orders for 9 seconds.',
    'Customer data was lost.',
    'Mira Okafor paused the queue at 09:24.',
    'Retries are not capped.',
    'The timeout of the gateway is 60 seconds.',
    'The deploy of 14 March did not fail.',
    'Raise pool_size above 40.',
    'Do not raise max_connections above 40.',
    'The on-call engineer restarted the database.',
    'The deploy of 15 March failed.',
    'The cause was a bug in the payment service.',
    'Nobody paused the queue.',
  ),
  ...yes(settings, 'retries: 5', 'timeout_ms: 30000', 'Keep logs for 14 days.', 'Tracing is enabled only in staging.'),
  ...no(
    settings,
    'retries: 6',
    'timeout_ms: 3000',
    'region: eu-west-2',
    'Keep logs for 30 days.',
    'Do not keep logs.',
    'retry_after: 5',
  ),
  ...yes(
    study,
    'The treatment reduced relapse by 32%.',
    'The treatment reduced relapse in adults older than 65.',
    'Mice lacking the gene did not develop tumours.',
    'Binding of the ligand increases expression of IL-6.',
  ),
  ...no(
    study,
    'The treatment reduced relapse by 23%.',
    'The treatment did not reduce relapse.',
    'Mice lacking the gene developed tumours.',
    'Binding of the ligand increases expression of IL-10.',
    'The treatment had an effect on children.',
  ),
  ...inOtherWords(
    incident,
    'It took them four minutes to go back to the old version.',
    'The database team must agree before the pool grows beyond 40.',
    'The outage was caused by a schema change.',
  ),
  ...inOtherWords(study, 'Old people relapsed less often.', 'Children did not benefit.'),
]
