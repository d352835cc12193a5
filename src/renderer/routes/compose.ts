/** What a URL of the compose page opens. */
export type Wanted =
  | { readonly kind: 'start' }
  | { readonly kind: 'draft'; readonly id: number }
  /** `log`: the event log of the delivery; null for the live store. */
  | { readonly kind: 'delivery'; readonly id: number; readonly log: number | null }
  | { readonly kind: 'attempt'; readonly id: number }
  | { readonly kind: 'sample'; readonly type: string }
  | { readonly kind: 'empty' }

const number = /^[1-9]\d{0,14}$/

/** `#/compose`, `#/compose/12`, `#/compose/from/34`, `#/compose/log/3/34`, `#/compose/again/56`, `#/compose/sample/OPEN_TAB`, `#/compose/empty`. */
export function wantedOf(hash: string): Wanted {
  const [, page, first = '', second = '', third = ''] = hash.replace(/^#/, '').split(/[/?]/)
  if (page !== 'compose') return { kind: 'start' }
  if (number.test(first)) return { kind: 'draft', id: Number(first) }
  if (first === 'from' && number.test(second)) {
    return { kind: 'delivery', id: Number(second), log: null }
  }
  if (first === 'log' && number.test(second) && number.test(third)) {
    return { kind: 'delivery', id: Number(third), log: Number(second) }
  }
  if (first === 'again' && number.test(second)) return { kind: 'attempt', id: Number(second) }
  if (first === 'sample' && /^[A-Z][A-Z0-9_]{0,80}$/.test(second)) {
    return { kind: 'sample', type: second }
  }
  return first === 'empty' ? { kind: 'empty' } : { kind: 'start' }
}

export function addressOf(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'start':
      return '#/compose'
    case 'draft':
      return `#/compose/${wanted.id}`
    case 'delivery':
      return wanted.log === null
        ? `#/compose/from/${wanted.id}`
        : `#/compose/log/${wanted.log}/${wanted.id}`
    case 'attempt':
      return `#/compose/again/${wanted.id}`
    case 'sample':
      return `#/compose/sample/${wanted.type}`
    case 'empty':
      return '#/compose/empty'
  }
}
