import { Check, PenLine, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { StateMark } from '../../components/StateMark.tsx'
import { counted } from '../../components/text/numbers.ts'
import { useClient } from '../../platform/use-client.ts'
import { sameBytes } from './body/body-modes.ts'
import { backToOriginal } from './edit.ts'
import type { HeaderRows } from './headers/header-rows.ts'
import type { Session } from './store.ts'
import { changeSession } from './store.ts'

interface Props {
  readonly session: Session
  readonly rows: HeaderRows
  readonly onHeaders: () => void
}

/** Whether anything but the address differs from what came, and the way back. */
export function ChangeState({ session, rows, onHeaders }: Props) {
  const client = useClient()
  const [asking, setAsking] = useState(false)
  const { original, preview, content } = session
  if (original === null || preview === null) return <span className="compose-gap" />
  if (preview.unchanged) {
    return (
      <span className="compose-change" role="status">
        <StateMark tone="valid" icon={Check} word="Byte for byte as captured" />
      </span>
    )
  }
  // What comes from a log has its own copy of the bytes.
  const body =
    content.body.kind === 'bytes' &&
    !(original.body && sameBytes(original.body, content.body.bytes))
  if (content.origin.kind === 'log' && !body && rows.differing === 0) {
    return (
      <span className="compose-change" role="status">
        <StateMark tone="valid" icon={Check} word="Body and headers as in the log" />
      </span>
    )
  }
  return (
    <span className="compose-change">
      <span role="status">
        <StateMark
          tone="missing"
          icon={PenLine}
          word={wordsOf(
            content.origin.kind === 'log' ? 'Differs from the log' : 'Edited',
            body,
            rows.differing,
          )}
        />
      </span>
      {rows.differing > 0 && (
        <Button kind="quiet" onClick={onHeaders}>
          Show
        </Button>
      )}
      <Button kind="quiet" icon={<RotateCcw aria-hidden />} onClick={() => setAsking(true)}>
        Back to the original
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Take everything back?"
        description="Headers, body and signature are then as captured. Address and method stay."
        action="Back to the original"
        busy={false}
        error={null}
        onConfirm={() => {
          setAsking(false)
          backToOriginal(client)
          // The editor begins anew with what came.
          changeSession(session.key, (now) => ({ turn: now.turn + 1 }))
        }}
      />
    </span>
  )
}

function wordsOf(word: string, body: boolean, headers: number): string {
  const parts = [
    ...(body ? ['the body'] : []),
    ...(headers > 0 ? [counted(headers, 'header', 'headers')] : []),
  ]
  return parts.length === 0 ? word : `${word}: ${parts.join(' and ')}`
}
