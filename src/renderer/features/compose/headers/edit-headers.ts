import type { DraftHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'

type Headers = readonly DraftHeader[]

/** What is written in a value is by hand from then on: it follows nothing any more. */
export function setValue(headers: Headers, index: number, value: string): DraftHeader[] {
  return change(headers, index, { value, byHand: true })
}

export function setName(headers: Headers, index: number, name: string): DraftHeader[] {
  return change(headers, index, { name })
}

export function setOn(headers: Headers, index: number, on: boolean): DraftHeader[] {
  return change(headers, index, { on })
}

export function followAgain(headers: Headers, index: number): DraftHeader[] {
  return change(headers, index, { byHand: false })
}

/** One place up or down, where there is one. */
export function move(headers: Headers, index: number, by: 1 | -1): DraftHeader[] {
  const header = headers[index]
  const to = index + by
  if (!header || to < 0 || to >= headers.length) return [...headers]
  return headers.toSpliced(index, 1).toSpliced(to, 0, header)
}

export function add(headers: Headers): DraftHeader[] {
  return [...headers, { name: '', value: '', on: true, byHand: false }]
}

export function remove(headers: Headers, index: number): DraftHeader[] {
  return headers.toSpliced(index, 1)
}

/** A header that came and was removed, where it was. */
export function putBack(headers: Headers, [name, value]: Header, place: number): DraftHeader[] {
  return headers.toSpliced(place, 0, { name, value, on: true, byHand: false })
}

function change(headers: Headers, index: number, part: Partial<DraftHeader>): DraftHeader[] {
  const before = headers[index]
  return before ? headers.with(index, { ...before, ...part }) : [...headers]
}
