import { field, type Payload } from '#catalogue/payload.ts'

/** What an event adds or states. Numbers as the service sends them: no currency is given. */
export interface Amount {
  readonly to: 'items' | 'orders' | 'stated'
  readonly value: number
}

export interface AmountRead {
  readonly amount: Amount | null
  /** The fields that should hold a number and do not: they add nothing. */
  readonly unusable: readonly string[]
}

/**
 * Items: price times quantity, less when removed; that `price` is for one piece is an assumption. Orders: `total`. Tab: `total` as it is
 * stated, and none is no fault, since the document contradicts itself there. Pure.
 */
export function amountOf({ type, data }: Payload): AmountRead {
  switch (type) {
    case 'ITEM_ADDED':
    case 'ITEM_REMOVED': {
      const price = finite(field(data, 'price'))
      const quantity = finite(field(data, 'quantity'))
      const value = price === null || quantity === null ? null : product(price, quantity)
      if (value === null) {
        const wrong = [price === null && 'data.price', quantity === null && 'data.quantity']
        const names = wrong.filter((name) => name !== false)
        return { amount: null, unusable: names.length > 0 ? names : ['data.price'] }
      }
      return {
        amount: { to: 'items', value: type === 'ITEM_ADDED' ? value : 0 - value },
        unusable: [],
      }
    }
    case 'ORDER_PLACED':
      return total('orders', field(data, 'total'), true)
    case 'OPEN_TAB':
      return total('stated', field(data, 'total'), false)
    default:
      return { amount: null, unusable: [] }
  }
}

function total(to: Amount['to'], sent: unknown, required: boolean): AmountRead {
  const value = finite(sent)
  if (value !== null) return { amount: { to, value }, unusable: [] }
  return { amount: null, unusable: required || sent !== undefined ? ['data.total'] : [] }
}

/** The sum as one would write it: 0.1 and 0.2 are 0.3. Null where it is too large to be a number. */
export function sum(a: number | null, b: number): number | null {
  return a === null ? b : rounded(a + b, Math.max(decimals(a), decimals(b)))
}

function product(a: number, b: number): number | null {
  return rounded(a * b, decimals(a) + decimals(b))
}

/** The number, or null for what is none; without a negative zero. */
function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

/** Digits after the point, as the number is written. */
function decimals(value: number): number {
  const [, fraction = '', exponent = '0'] = /(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

/** Without the noise that binary fractions leave behind the digits that there can be. */
function rounded(value: number, digits: number): number | null {
  return finite(Number(value.toFixed(Math.min(digits, 20))))
}
