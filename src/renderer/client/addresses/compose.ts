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

/** `#/send/drafts`, `#/send/drafts/12`, `#/send/drafts/from/34`, `#/send/drafts/log/3/34`, `#/send/drafts/again/56`, `#/send/drafts/sample/OPEN_TAB`, `#/send/drafts/empty`. */
export function wantedOf(hash: string): Wanted {
  const [, page, tab, first = '', second = '', third = ''] = hash.split(/[/?]/)
  if (page !== 'send' || tab !== 'drafts') return { kind: 'start' }
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
      return '#/send/drafts'
    case 'draft':
      return `#/send/drafts/${wanted.id}`
    case 'delivery':
      return wanted.log === null
        ? `#/send/drafts/from/${wanted.id}`
        : `#/send/drafts/log/${wanted.log}/${wanted.id}`
    case 'attempt':
      return `#/send/drafts/again/${wanted.id}`
    case 'sample':
      return `#/send/drafts/sample/${wanted.type}`
    case 'empty':
      return '#/send/drafts/empty'
  }
}
