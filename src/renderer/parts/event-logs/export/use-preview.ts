import { useCallback, useEffect, useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import type { LogPreview } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'

/** The input of a preview without its key. */
export type PreviewRequest = Omit<CallInput<'logs.preview'>, 'key'>

interface PreviewResult {
  readonly requestKey: string
  readonly preview: LogPreview | null
  readonly error: { readonly code: string | null; readonly message: string } | null
}

export interface Preview {
  /** The last result; of an earlier request while `stale`. */
  readonly preview: LogPreview | null
  readonly stale: boolean
  readonly error: PreviewResult['error']
  readonly retry: () => void
}

/** How long to wait after the last change before the first call, in milliseconds. */
const debounce = 220
/** How long to wait between two calls for the same preview, in milliseconds. */
const pollInterval = 120

/** A field would leave the list until it is found again, with the focus on its buttons. */
function isWorse(next: LogPreview, before: LogPreview | null): boolean {
  return !next.complete && next.fields.length < (before?.fields.length ?? 0)
}

/**
 * Previews the content of an export. Repeats the call with the same key until the preview is complete. Calls stop when `request` is null or the
 * component unmounts. The engine then ends the preview automatically. `saved`: the choices of the engine, which apply to each preview.
 */
export function usePreview(request: PreviewRequest | null, saved: readonly FieldChoice[]): Preview {
  const client = useClient()
  const [attempt, setAttempt] = useState(0)
  const requestKey = request === null ? '' : `${attempt} ${JSON.stringify([request, saved])}`
  const [result, setResult] = useState<PreviewResult>({
    requestKey: '',
    preview: null,
    error: null,
  })

  useEffect(() => {
    if (request === null) return undefined
    let current = true
    let timer = 0
    const key = crypto.randomUUID()
    const load = (): void => {
      client.call('logs.preview', { ...request, key }).then(
        (preview) => {
          if (!current) return
          setResult((before) =>
            isWorse(preview, before.preview) ? before : { requestKey, preview, error: null },
          )
          if (!preview.complete) timer = window.setTimeout(load, pollInterval)
        },
        (error: unknown) => {
          if (!current) return
          const code = error instanceof CallError ? error.code : null
          setResult({ requestKey, preview: null, error: { code, message: messageOf(error) } })
        },
      )
    }
    timer = window.setTimeout(load, debounce)
    return () => {
      current = false
      clearTimeout(timer)
    }
    // `requestKey` stands for `request`, which is a new object at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, requestKey])

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  const stale = result.requestKey !== requestKey
  return { preview: result.preview, stale, error: stale ? null : result.error, retry }
}
