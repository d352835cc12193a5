import { useCallback } from 'react'
import type { Header } from '#contract/models.ts'
import { byteSize } from '../../components/text/numbers.ts'
import { useClient } from '../../platform/use-client.ts'
import { BodyView } from '../body/BodyView.tsx'
import { isEncoded } from '../body/is-encoded.ts'
import { useLog } from '../deliveries/scope/scope.ts'
import type { ReadSlice } from '../body/use-body.ts'
import { useBody } from '../body/use-body.ts'

const words = { tree: 'Pretty', text: 'Raw', hex: 'Bytes' } as const
/** Bytes up to which a few lines are all there is to see. */
const short = 300

interface Props {
  readonly attemptId: number
  readonly which: 'request' | 'answer'
  readonly headers: readonly Header[]
  /** Bytes of body that were sent or came, and that are kept. */
  readonly bytes: number
  readonly bytesKept: number
}

/** The body of one side of an attempt. Keyed by attempt and side. */
export function MessageBody({ attemptId, which, headers, bytes, bytesKept }: Props) {
  const client = useClient()
  const log = useLog()
  const encoded = isEncoded(headers)
  const read: ReadSlice = useCallback(
    (slice) => client.call('attempts.body', { id: attemptId, log, which, ...slice }),
    [attemptId, client, log, which],
  )
  const source = useBody(read, { encoded })
  return (
    <div className="attempt-body" data-short={bytesKept <= short || undefined}>
      <BodyView
        source={source}
        encoded={encoded}
        words={words}
        none="Only the head was sent."
        after={bytesKept < bytes && `, of ${byteSize(bytes)} that came only this was kept`}
      />
    </div>
  )
}
