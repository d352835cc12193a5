import { noFilter } from './filter.ts'
import { closeDelivery, setFilter } from './store.ts'

/** Lists all deliveries that mention an id. */
export function followId(id: string): void {
  followFilter(`ref:${quotedValue(id)}`)
  // What was open mentions the id too, and would hide the list in a small window.
  closeDelivery()
}

/** Goes to the list with a filter, written in the filter language. */
export function followFilter(_text: string): void {
  setFilter(noFilter)
  location.hash = '#/deliveries'
}

/** A value as the filter language takes it, whatever stands in it. */
export function quotedValue(value: string): string {
  return `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`
}
