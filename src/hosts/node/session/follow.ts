import { causeTitle } from '#catalogue/cause-titles.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { forwardLine } from '../output/attempt-text.ts'
import { globals } from '../command-line/globals.ts'
import { deliveryColumns, deliveryPrinter } from '../output/delivery-line.ts'
import { outputDrained, printMessage, writeJson, writeLine } from '../output/output.ts'
import type { Session } from './session.ts'
import { Table } from '../output/table.ts'

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
  const follower = new Follower(session, filter, after, begun)
  const unlisten = [
    session.on('deliveries.arrived', ({ rows }) => follower.arrived(rows.at(-1)?.id ?? 0)),
    session.on('deliveries.changed', ({ rows }) => follower.changed(rows)),
    session.on('attempts.made', ({ rows }) => follower.attempted(rows)),
    // A filter for content finds a delivery once it is in the index.
    ...(filter === '' ? [] : [session.on('deliveries.indexed', () => follower.arrived(0))]),
  ]
  const { newestId } = await session.call('deliveries.stored', {})
  await follower.pullTo(newestId)
  return {
    finish: () => {
      // The store is closed after this.
      for (const stop of unlisten) stop()
      return follower.pullTo(Number.POSITIVE_INFINITY)
    },
  }
}

class Follower {
  readonly #session: Followed
  readonly #filter: string
  readonly #begun: Promise<void> | undefined
  readonly #printer = deliveryPrinter()
  #cursor: number
  /** Responses are known up to this delivery. */
  #upTo: number
  /** Printed without a cause. */
  readonly #undiagnosed = new Set<number>()
  /** With a filter. */
  readonly #printed = new Set<number>()
  #forwards: AttemptSummary[] = []
  #running: Promise<void> | null = null
  #again = false
  #reported: string | null = null

  constructor(session: Followed, filter: string, after: number, begun: Promise<void> | undefined) {
    this.#session = session
    this.#filter = filter
    this.#begun = begun
    this.#cursor = after
    this.#upTo = after
  }

  /** A store that cannot be read must not end the process: it still receives. */
  arrived(newestId: number): void {
    this.pullTo(newestId).then(
      () => (this.#reported = null),
      (error: unknown) => {
        this.#running = null
        if (!(error instanceof AppError)) throw error
        // The end of the followed Tabscope is reported by the command.
        if (error.code === 'connection_lost') return
        if (error.message !== this.#reported) printMessage(escapeControls(error.message))
        this.#reported = error.message
      },
    )
  }

  changed(rows: readonly Pick<DeliverySummary, 'id' | 'causes'>[]): void {
    for (const { id, causes } of rows) {
      if (causes === null || !this.#undiagnosed.delete(id)) continue
      const [cause] = causes
      if (cause) printMessage(escapeControls(`${id}: ${causeTitle(cause.code)}.`))
    }
  }

  attempted(rows: readonly AttemptSummary[]): void {
    this.#forwards.push(...rows.filter(({ forwardId }) => forwardId !== null))
    this.#printForwards()
  }

  pullTo(newestId: number): Promise<void> {
    this.#upTo = Math.max(this.#upTo, newestId)
    this.#again = true
    return (this.#running ??= this.#pull())
  }

  async #pull(): Promise<void> {
    await this.#begun
    const printRow = await this.#printer
    do {
      this.#again = false
      for (;;) {
        const input = { filter: this.#filter, after: this.#cursor, limit: 500 }
        const { rows, upTo: examined } = await this.#session.call('deliveries.newer', input)
        for (const row of rows) {
          if (row.id > this.#upTo) break
          printRow(row)
          if (row.causes === null) this.#undiagnosed.add(row.id)
          if (this.#filter !== '') this.#printed.add(row.id)
        }
        const next = Math.min(examined, this.#upTo)
        if (next <= this.#cursor) break
        this.#cursor = next
        this.#printForwards()
        await outputDrained()
      }
    } while (this.#again)
    // In the same turn as the check of `again`, so that a later push starts another pull.
    this.#running = null
  }

  #printForwards(): void {
    const due = this.#forwards.filter(({ deliveryId }) => (deliveryId ?? 0) <= this.#cursor)
    this.#forwards = this.#forwards.filter((row) => !due.includes(row))
    for (const row of due) {
      if (this.#filter === '' || this.#printed.has(row.deliveryId ?? 0)) printForward(row)
    }
  }
}
