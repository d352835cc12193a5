import { useCallback, useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import type { LogPreview } from '#contract/logs.ts'
import { CallError, sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'

/** What is wished, without the key under which it is looked at. */
export type PreviewRequest = Omit<CallInput<'logs.preview'>, 'key'>

interface Held {
  /** Of which wish. */
  readonly of: string
  readonly preview: LogPreview | null
  readonly error: { readonly code: string | null; readonly message: string } | null
}

export interface Preview {
  /** The last that came; of an earlier wish while `stale`. */
  readonly preview: LogPreview | null
  readonly stale: boolean
  readonly error: Held['error']
  readonly retry: () => void
}

/** Milliseconds after the last change, and between two looks at the same. */
const settle = 220
const again = 120

/**
 * What an export would hold. Asked on under one key until it is complete; nothing is asked once `wish` is null or the component is gone, and
 * then it ends by itself.
 */
export function usePreview(wish: PreviewRequest | null): Preview {
  const client = useClient()
  const [turn, setTurn] = useState(0)
  const of = wish === null ? '' : `${turn} ${JSON.stringify(wish)}`
  const [held, setHeld] = useState<Held>({ of: '', preview: null, error: null })

  useEffect(() => {
    if (wish === null) return undefined
    let current = true
    let timer = 0
    const key = crypto.randomUUID()
    const look = (): void => {
      client.call('logs.preview', { ...wish, key }).then(
        (preview) => {
          if (!current) return
          setHeld({ of, preview, error: null })
          if (!preview.complete) timer = window.setTimeout(look, again)
        },
        (error: unknown) => {
          if (!current) return
          const code = error instanceof CallError ? error.code : null
          setHeld({ of, preview: null, error: { code, message: sentence(error) } })
        },
      )
    }
    timer = window.setTimeout(look, settle)
    return () => {
      current = false
      clearTimeout(timer)
    }
    // `of` stands for `wish`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, of])

  const retry = useCallback(() => setTurn((before) => before + 1), [])
  const stale = held.of !== of
  return { preview: held.preview, stale, error: stale ? null : held.error, retry }
}
