import { z } from 'zod'
import { prepare, type Db } from '../../store/driver.ts'

/** What the line of a delivery said in the file that a log was imported from, and that nothing else holds. */
export interface Logged {
  readonly bodyRedacted: boolean
  readonly omitted: string | null
  readonly notForwarded: string[]
}

type Row = readonly [bodyRedacted: number, omitted: string | null, notForwarded: string]

const Sentences = z.array(z.string())

/** Null: it is the live store, which has none of it. */
export function createLoggedReader(db: Db): ((id: number) => Logged | null) | null {
  const any = prepare<[], { one: number }>(db, 'SELECT 1 AS one FROM log_delivery LIMIT 1').get()
  if (!any) return null
  const select = prepare<[number], Row>(
    db,
    'SELECT body_redacted, omitted, not_forwarded FROM log_delivery WHERE id = ?',
  ).raw()
  return (id) => {
    const row = select.get(id)
    if (!row) return null
    const [bodyRedacted, omitted, notForwarded] = row
    return {
      bodyRedacted: bodyRedacted === 1,
      omitted,
      notForwarded: Sentences.parse(JSON.parse(notForwarded)),
    }
  }
}
