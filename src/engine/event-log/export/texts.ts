import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { createSlots } from '../../mutex.ts'
import { formatOf } from '../formats.ts'
import type { ExportsParts } from './exports.ts'
import { startExport, type ExportEnd, type ExportThread } from './export-thread.ts'
import { orderOf } from './orders.ts'

/** Of a text that is shown or copied, in bytes. */
const textBytes = 1024 * 1024

/** Threads that make texts at the same time. */
const mostAtOnce = 4
/** A text that takes longer is given up, in milliseconds: somebody waits for it. */
const limitMs = 20_000

/** Makes texts of single deliveries, each in a thread of its own and within a time limit of its own. */
export function createTexts(
  parts: ExportsParts,
): (input: ParsedInput<'logs.text'>) => Promise<CallOutput<'logs.text'>> {
  const slot = createSlots(mostAtOnce)

  const make = async (input: ParsedInput<'logs.text'>): Promise<CallOutput<'logs.text'>> => {
    const { log, id, format, redact, keep, target } = input
    if (!formatOf(format).single) {
      throw new AppError('bad_input', `"${format}" holds many deliveries. Export it to a file.`)
    }
    const what = { log, filter: '', from: null, to: null, ids: [id], traceOf: null }
    const order = await orderOf(
      parts,
      parts.rules,
      parts.pathOf,
      {
        what,
        format,
        redact,
        rules: [],
        keep,
        gzip: false,
        with: { attempts: true, notes: true, authorization: false },
        target,
      },
      { kind: 'pieces' },
    )
    const pieces: Uint8Array[] = []
    let size = 0
    const thread = startExport(parts.ports.threads.exporter, order, {
      piece: (piece) => {
        pieces.push(piece)
        size += piece.byteLength
        // The rest would not be shown.
        if (size > textBytes) void thread.cancel()
        else thread.taken(piece.byteLength)
      },
    })
    const end = await withinLimit(parts.clock, thread)
    if (end.kind === 'failed') throw end.error
    if (end.kind === 'done' && end.told.deliveries === 0) {
      throw new AppError(
        'not_found',
        `There is no delivery ${id}. It may have been deleted, or have made room for newer ones.`,
      )
    }
    const all = Buffer.concat(pieces)
    const removed = end.kind === 'done' ? Object.values(end.told.removed) : []
    return {
      text: wholeCharacters(all.subarray(0, textBytes)),
      removed: removed.reduce((sum, count) => sum + count, 0),
      cut: all.byteLength > textBytes,
    }
  }

  return (input) => slot(() => make(input))
}

/** How the thread ended. Throws `run_over` where it takes too long: the thread is ended then, whatever it does. */
export async function withinLimit(
  clock: Pick<Clock, 'after'>,
  thread: Pick<ExportThread, 'ended' | 'cancel'>,
): Promise<ExportEnd> {
  let late = false
  const callOff = clock.after(limitMs, () => {
    late = true
    void thread.cancel()
  })
  const end = await thread.ended
  callOff()
  if (!late || end.kind === 'done') return end
  throw new AppError(
    'run_over',
    `The text took longer than ${limitMs / 1000} seconds. Export the delivery to a file instead.`,
    { retry: 'later' },
  )
}

/** Without the beginning of a character at its end. */
function wholeCharacters(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}
