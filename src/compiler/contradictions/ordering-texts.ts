import type { CompileInput, Item } from '../../core/index.ts'
import type { OrderingText } from './find-contradictions.ts'

/** Words of the user that are looked at, the last ones. */
const lastSaid = 10

/** The texts of a request that may give orders: instructions and task, what the frame says, and what the user has said of late. */
export function orderingTexts({ items, frame }: Pick<CompileInput, 'items' | 'frame'>): readonly OrderingText[] {
  const said = items.filter(isSaid)
  const late = new Set(said.slice(-lastSaid))
  const orders = items.filter((item) => isInstruction(item) || late.has(item))
  return [...orders.map((item) => ({ at: item.id, text: item.text, isUser: !isInstruction(item) })), ...framed(frame)]
}

function isInstruction({ section, role }: Item): boolean {
  return section === 'policy' || section === 'role' || section === 'task' || role === 'system' || role === 'developer'
}

function isSaid(item: Item): boolean {
  return item.role === 'user' && item.kind === 'text' && !isInstruction(item)
}

function framed(frame: CompileInput['frame']): readonly OrderingText[] {
  if (frame === undefined) return []
  const { role = '', goal = '', step = '', acceptance = [], constraints = [], request } = frame
  const lists = [
    ...acceptance.map((text, index) => ({ at: `frame.acceptance[${index}]`, text })),
    ...constraints.map((one, index) => ({
      at: `frame.constraints[${index}]`,
      text: typeof one === 'string' ? one : one.text,
    })),
  ]
  const named = Object.entries({ role, goal, step }).map(([name, text]) => ({ at: `frame.${name}`, text }))
  const own = [...named, ...lists]
  return [
    ...own.filter(({ text }) => text !== '').map((one) => ({ ...one, isUser: false })),
    ...(request === '' ? [] : [{ at: 'frame.request', text: request, isUser: true }]),
  ]
}
