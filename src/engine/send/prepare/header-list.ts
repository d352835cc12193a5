import type { Header } from '#contract/models.ts'

export function isNamed([name]: Header, lowerName: string): boolean {
  return name.length === lowerName.length && name.toLowerCase() === lowerName
}

export function hasHeader(headers: readonly Header[], lowerName: string): boolean {
  return headers.some((header) => isNamed(header, lowerName))
}

/** The first value under a name. */
export function headerValue(headers: readonly Header[], lowerName: string): string | undefined {
  return headers.find((header) => isNamed(header, lowerName))?.[1]
}

export function withoutHeader(headers: readonly Header[], lowerName: string): Header[] {
  return headers.filter((header) => !isNamed(header, lowerName))
}

/** The same headers with the values of one name changed, each in its place and case. */
export function withValue(headers: readonly Header[], lowerName: string, value: string): Header[] {
  return headers.map((header) => (isNamed(header, lowerName) ? [header[0], value] : header))
}

/** `given`, all of one name, in the place of the first of that name; further ones of it go. There is none: they come last. */
export function withHeaders(headers: readonly Header[], given: readonly Header[]): Header[] {
  const lowerName = given[0]?.[0].toLowerCase() ?? ''
  const first = headers.findIndex((header) => isNamed(header, lowerName))
  if (first === -1) return [...headers, ...given]
  return [
    ...headers.slice(0, first),
    ...given,
    ...withoutHeader(headers.slice(first + 1), lowerName),
  ]
}

/** Behind the last header whose name begins so; there is none: last of all. */
export function insertBehind(
  headers: readonly Header[],
  lowerPrefix: string,
  added: Header,
): Header[] {
  const last = headers.findLastIndex(([name]) => name.toLowerCase().startsWith(lowerPrefix))
  return last === -1 ? [...headers, added] : headers.toSpliced(last + 1, 0, added)
}

export function sameHeaders(one: readonly Header[], other: readonly Header[]): boolean {
  return (
    one.length === other.length &&
    one.every(([name, value], index) => name === other[index]?.[0] && value === other[index]?.[1])
  )
}
