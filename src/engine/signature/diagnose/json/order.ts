import type { Work } from '../time-budget.ts'
import { behind, kinds, type JsonTokens } from './tokens.ts'

/**
 * The tokens in the order in which they stand when the members of every object are sorted by their keys, by code points as Python and Go
 * do. Null: they are sorted already. Pauses as `work` asks it to.
 */
export async function sortedOrder(tokens: JsonTokens, work: Work): Promise<Uint32Array | null> {
  const order = new Uint32Array(tokens.count)
  let written = 0
  let changed = false
  /** What is still to be written: the next on top. A member is its key, and the value behind it. */
  const todo: { readonly at: number; readonly what: 'value' | 'member' | 'token' }[] = [
    { at: 0, what: 'value' },
  ]
  for (let steps = 0; ; steps += 1) {
    if (steps % 1024 === 0 && work.due) await work.breathe()
    const next = todo.pop()
    if (!next) break
    const { at, what } = next
    order[written] = at
    written += 1
    if (what === 'token') continue
    if (what === 'member') {
      todo.push({ at: at + 1, what: 'value' })
      continue
    }
    const kind = tokens.kind[at]
    if (kind !== kinds.objectOpen && kind !== kinds.arrayOpen) continue
    const end = tokens.close[at] ?? at
    todo.push({ at: end, what: 'token' })
    const isObject = kind === kinds.objectOpen
    const parts: number[] = []
    for (let part = at + 1; part < end;) {
      parts.push(part)
      part = behind(tokens, isObject ? part + 1 : part)
    }
    const inOrder = isObject ? sortedMembers(tokens, parts) : parts
    if (isObject) changed ||= inOrder.some((part, index) => part !== parts[index])
    for (let index = inOrder.length - 1; index >= 0; index -= 1) {
      todo.push({ at: inOrder[index] ?? 0, what: isObject ? 'member' : 'value' })
    }
  }
  return changed ? order : null
}

function sortedMembers(tokens: JsonTokens, members: readonly number[]): readonly number[] {
  if (members.length < 2) return members
  const keys = new Map(members.map((member) => [member, keyOf(tokens, member)]))
  const none = Buffer.alloc(0)
  return members.toSorted((a, b) => Buffer.compare(keys.get(a) ?? none, keys.get(b) ?? none))
}

/** As UTF-8, whose order of bytes is that of the code points. */
function keyOf({ source, start, end }: JsonTokens, index: number): Buffer {
  const raw = source.subarray((start[index] ?? 0) + 1, (end[index] ?? 1) - 1)
  if (!raw.includes(0x5c)) return raw
  try {
    const text: unknown = JSON.parse(`"${raw.toString('utf8')}"`)
    return typeof text === 'string' ? Buffer.from(text, 'utf8') : raw
  } catch {
    return raw
  }
}
