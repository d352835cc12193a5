import { causeTitle } from '#catalogue/cause-titles.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { forwardLine } from './attempt-text.ts'
import { globals } from './command-line/globals.ts'
import { deliveryColumns, deliveryPrinter } from './delivery-line.ts'
import { outputDrained, printMessage, writeJson, writeLine } from './output.ts'
import type { Session } from './session.ts'
import { Table } from './table.ts'

// What `listen` and `tail` print.

type Followed = Pick<Session, 'call' | 'on'>

export function printDeliveryHeader(): void {
  if (!globals.json) printMessage(new Table(deliveryColumns, []).header())
}

function printForward(row: AttemptSummary): void {
  if (globals.json) writeJson('forward', row)
  else if (!globals.quiet) writeLine(forwardLine(row))
}

/**
 * Prints the deliveries after `after` that match, their forwards, and causes that are found later. Reads the store instead of the pushes: under a flood a push may leave out
 * rows, and none may be missing here. Prints nothing before `begun`, and misses nothing that is pushed meanwhile.
 */
export async function follow(
  session: Followed,
  { after, filter, begun }: { after: number; filter: string; begun?: Promise<void> },
): Promise<{ finish(): Promise<void> }> {
  const printer = deliveryPrinter()
  let cursor = after
  /** Responses are known up to this delivery. */
  let upTo = after
  /** Printed without a cause. */
  const undiagnosed = new Set<number>()
  /** With a filter. */
  const printed = new Set<number>()
  let forwards: AttemptSummary[] = []
  /** Each after its delivery. */
  const printForwards = (): void => {
    const due = forwards.filter(({ deliveryId }) => (deliveryId ?? 0) <= cursor)
    forwards = forwards.filter((row) => !due.includes(row))
    for (const row of due) {
      if (filter === '' || printed.has(row.deliveryId ?? 0)) printForward(row)
    }
  }
  let running: Promise<void> | null = null
  let again = false
  const pull = async (): Promise<void> => {
    await begun
    const printRow = await printer
    do {
      again = false
      for (;;) {
        const input = { filter, after: cursor, limit: 500 }
        const { rows, upTo: examined } = await session.call('deliveries.newer', input)
        for (const row of rows) {
          if (row.id > upTo) break
          printRow(row)
          if (row.causes === null) undiagnosed.add(row.id)
          if (filter !== '') printed.add(row.id)
        }
        const next = Math.min(examined, upTo)
        if (next <= cursor) break
        cursor = next
        printForwards()
        await outputDrained()
      }
    } while (again)
    // In the same turn as the check of `again`, so that a later push starts another pull.
    running = null
  }
  const requestPull = (): Promise<void> => {
    again = true
    return (running ??= pull())
  }
  let reported: string | null = null
  /** A store that cannot be read must not end the process: it still receives. */
  const pullOrReport = async (): Promise<void> => {
    try {
      await requestPull()
      reported = null
    } catch (error) {
      running = null
      if (!(error instanceof AppError)) throw error
      // The end of the followed Tabscope is reported by the command.
      if (error.code === 'connection_lost') return
      if (error.message !== reported) printMessage(escapeControls(error.message))
      reported = error.message
    }
  }
  const unlisten = [
    session.on('deliveries.arrived', ({ rows }) => {
      upTo = Math.max(upTo, rows.at(-1)?.id ?? 0)
      void pullOrReport()
    }),
    session.on('deliveries.changed', ({ rows }) => {
      for (const { id, causes } of rows) {
        if (causes === null || !undiagnosed.delete(id)) continue
        const [cause] = causes
        if (cause) printMessage(escapeControls(`${id}: ${causeTitle(cause.code)}.`))
      }
    }),
    session.on('attempts.made', ({ rows }) => {
      forwards.push(...rows.filter(({ forwardId }) => forwardId !== null))
      printForwards()
    }),
    // A filter for content finds a delivery once it is in the index.
    ...(filter === '' ? [] : [session.on('deliveries.indexed', () => void pullOrReport())]),
  ]
  const { newestId } = await session.call('deliveries.stored', {})
  upTo = Math.max(upTo, newestId)
  await requestPull()
  return {
    finish: () => {
      // The store is closed after this.
      for (const stop of unlisten) stop()
      upTo = Number.POSITIVE_INFINITY
      return requestPull()
    },
  }
}
