import { useCallback, useMemo, useState } from 'react'
import { textOf } from '../../body/index.ts'
import type { Client } from '../../../platform/client.ts'
import { editBody } from '../edit.ts'
import { formatted } from '../editor/json-faults.ts'
import type { Session } from '../store.ts'
import { changeSession } from '../store.ts'
import type { BodyMode } from './body-modes.ts'
import { encodeText, firstMode } from './body-modes.ts'
import { fromHex, toHex } from './hex-text.ts'

/** What is in the way of sending while the hex does not read. */
const halfWritten = 'The body is not valid hex yet. Fix it where it is marked.'

/** The bytes of the body as they are now; null: they are too many to be here, or gone. */
export function bodyBytes({ content, original }: Session): Uint8Array | null {
  return content.body.kind === 'bytes' ? content.body.bytes : (original?.body ?? null)
}

interface BodyText {
  readonly mode: BodyMode
  /** Another one for each text that is put in from outside: the editor begins anew with it. */
  readonly turn: number
  /** The text that the editor begins with. */
  readonly text: string
  /** What came, in the same writing; null: there is none, or it cannot be written so. */
  readonly original: string | null
  readonly laidOut: boolean
  readonly setMode: (mode: BodyMode) => void
  /** Whether what came is laid out anew before it is compared, so that only values differ. */
  readonly setLaidOut: (laidOut: boolean) => void
  readonly write: (text: string) => void
  /** Puts other bytes in its place. */
  readonly put: (bytes: Uint8Array) => void
}

/** The body of a session as a text to edit. */
export function useBodyText(client: Client, session: Session, bytes: Uint8Array): BodyText {
  const [{ mode, turn, text }, setShown] = useState(() => shown(firstMode(bytes), 0, bytes))
  const [laidOut, setLaidOut] = useState(false)
  const came = session.original?.body ?? null
  const original = useMemo(() => {
    if (came === null) return null
    const written = writtenIn(mode, came)
    return written !== null && laidOut && mode !== 'hex' ? (formatted(written) ?? written) : written
  }, [came, mode, laidOut])
  const { key } = session
  const write = useCallback(
    (written: string) => {
      // Should the editor be made anew, it begins with this.
      setShown((before) => ({ ...before, text: written }))
      if (mode !== 'hex') return editBody(client, encodeText(written))
      const reading = fromHex(written)
      if (reading.ok) editBody(client, reading.bytes)
      else changeSession(key, { unreadable: halfWritten })
    },
    [client, key, mode],
  )
  return {
    mode,
    turn,
    text,
    original,
    laidOut,
    setMode(next) {
      // Hex that does not read is given up with its mode.
      changeSession(key, { unreadable: null })
      setShown(shown(next, turn + 1, bytes))
    },
    setLaidOut,
    write,
    put(next) {
      editBody(client, next)
      setShown(shown(writtenIn(mode, next) === null ? firstMode(next) : mode, turn + 1, next))
    },
  }
}

function shown(
  mode: BodyMode,
  turn: number,
  bytes: Uint8Array,
): { mode: BodyMode; turn: number; text: string } {
  return { mode, turn, text: writtenIn(mode, bytes) ?? '' }
}

function writtenIn(mode: BodyMode, bytes: Uint8Array): string | null {
  return mode === 'hex' ? toHex(bytes) : textOf(bytes)
}
