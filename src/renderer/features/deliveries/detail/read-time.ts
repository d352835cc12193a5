const iso =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>[Zz]|[+-]\d{2}:?\d{2})?$/

/** A text as a time: milliseconds since the epoch, and whether it names its zone. Null: no ISO 8601 date and time. */
export function readTime(text: string): { at: number; zoned: boolean } | null {
  const match = text.length > 40 ? null : iso.exec(text)
  if (!match) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : { at, zoned: match.groups?.['zone'] !== undefined }
}
