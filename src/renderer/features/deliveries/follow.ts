import { printValue } from '#contract/filter/print.ts'
import { closeDelivery, setFilterText } from './store.ts'

/** Lists all deliveries that mention an id. */
export function followId(id: string): void {
  setFilterText(`ref:${printValue({ text: id, quoted: true })}`)
  // What was open mentions the id too, and would hide the list in a small window.
  closeDelivery()
}
