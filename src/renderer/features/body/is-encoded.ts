import type { Header } from '#contract/models.ts'

/** Whether what came with these headers has a content encoding to be undone (RFC 9110, 8.4). */
export function isEncoded(headers: readonly Header[]): boolean {
  return headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-encoding' && value.trim().toLowerCase() !== 'identity',
  )
}
