import type { z } from 'zod'

/** A line of a block, or null where it is damaged. */
export function readLine<S extends z.ZodType>(schema: S, line: string): z.output<S> | null {
  try {
    const value: unknown = JSON.parse(line)
    return schema.safeParse(value).data ?? null
  } catch {
    return null
  }
}

/** The first line. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}
