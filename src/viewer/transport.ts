import type { ClientFrame } from '#contract/host.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Transport, TransportEvents } from '#renderer/platform/client.ts'
import type { Answer } from './answers/answers.ts'

/** The way to an engine that is in this very page. It is always open, and nothing is ever pushed. */
export function pageTransport(answer: Answer): Transport {
  return (events) => {
    setTimeout(() => events.opened((frame) => void take(events, answer, frame)))
    return () => undefined
  }
}

async function take(events: TransportEvents, answer: Answer, frame: ClientFrame): Promise<void> {
  // Not at once: between two steps of a long search the page must be drawn.
  await new Promise((resolve) => setTimeout(resolve))
  switch (frame.kind) {
    case 'hello':
      return events.received({ kind: 'welcome', session: 'page', seq: 0, reload: true })
    case 'call': {
      const { id } = frame
      try {
        const output = await answer(frame.name, frame.input)
        events.received({ kind: 'reply', id, ok: true, output })
      } catch (error) {
        events.received({ kind: 'reply', id, ok: false, error: asAppError(error).toWire() })
      }
    }
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'This page came upon something that it cannot show.')
}
