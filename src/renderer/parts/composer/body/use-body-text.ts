import { useCallback, useMemo, useState } from 'react'
import { textOf } from '#parts/body/body-text.ts'
import type { Client } from '#client/client.ts'
import { editBody } from '../edit.ts'
import { formatText } from '../editor/json-errors.ts'
import type { Session } from '../store.ts'
import { type BodyMode, encodeText, firstMode, toHex } from './body-modes.ts'

/** The current bytes of the body; null if it is too large or not available. */
export function bodyBytes({ content, original }: Session): Uint8Array | null {
  return content.body.kind === 'bytes' ? content.body.bytes : (original?.body ?? null)
}

interface BodyText {
  readonly mode: BodyMode
  /** Incremented when the text is replaced from outside, to recreate the editor. */
  readonly revision: number
  /** The initial text of the editor. */
  readonly text: string
  /** The original body in the same mode; null if there is none or it cannot be shown in this mode. */
  readonly original: string | null
  readonly compareFormatted: boolean
  readonly setMode: (mode: BodyMode) => void
  /** Whether the original is formatted before the comparison, so that only values differ. */
  readonly setCompareFormatted: (compareFormatted: boolean) => void
  readonly write: (text: string) => void
  /** Replaces the body. */
  readonly put: (bytes: Uint8Array) => void
}

/** The body of a session as editable text. */
export function useBodyText(client: Client, session: Session, bytes: Uint8Array): BodyText {
  const [{ mode, revision, text }, setShown] = useState(() =>
    initialState(firstMode(bytes), 0, bytes),
  )
  const [compareFormatted, setCompareFormatted] = useState(false)
  const originalBody = session.original?.body ?? null
  const original = useMemo(() => {
    if (originalBody === null) return null
    const written = textInMode(mode, originalBody)
    return written !== null && compareFormatted && mode !== 'hex'
      ? (formatText(written) ?? written)
      : written
  }, [originalBody, mode, compareFormatted])
  const { key } = session
  const write = useCallback(
    (written: string) => {
      // The initial text, should the editor be recreated.
      setShown((before) => ({ ...before, text: written }))
      editBody(client, key, encodeText(written))
    },
    [client, key],
  )
  return {
    mode,
    revision,
    text,
    original,
    compareFormatted,
    setMode: (next) => setShown(initialState(next, revision + 1, bytes)),
    setCompareFormatted,
    write,
    put(next) {
      editBody(client, key, next)
      setShown(
        initialState(textInMode(mode, next) === null ? firstMode(next) : mode, revision + 1, next),
      )
    },
  }
}

function initialState(
  mode: BodyMode,
  revision: number,
  bytes: Uint8Array,
): { mode: BodyMode; revision: number; text: string } {
  return { mode, revision, text: textInMode(mode, bytes) ?? '' }
}

function textInMode(mode: BodyMode, bytes: Uint8Array): string | null {
  return mode === 'hex' ? toHex(bytes) : textOf(bytes)
}
