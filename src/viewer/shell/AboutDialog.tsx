import type { ReactNode } from 'react'
import { Dialog } from '#renderer/components/Dialog.tsx'
import { Note } from '#renderer/components/Note.tsx'
import { Shown } from '#renderer/components/Shown.tsx'
import { count, counted } from '#renderer/components/text/numbers.ts'
import { localTime } from '#renderer/components/text/time.ts'
import { cut } from '#renderer/components/text/visible.ts'
import type { PageLog } from '../log/log.ts'
import { minuteOf } from './minute.ts'
import { scopeWords } from './scope-words.ts'

interface Props {
  readonly log: PageLog
  readonly open: boolean
  readonly onClose: () => void
}

/** What this log holds, what was taken out, and when and by what it was written. */
export function AboutDialog({ log, open, onClose }: Props) {
  const { head, end, rows, integrations, endpoints, tokens, runs } = log
  const { redaction } = head
  const removed = Object.entries(end?.removed ?? {}).filter(([, values]) => values > 0)
  const [first, last] = [rows[0], rows.at(-1)]
  const beside = [
    ...(integrations.length > 0
      ? [counted(integrations.length, 'integration', 'integrations')]
      : []),
    ...(endpoints.length > 0 ? [counted(endpoints.length, 'endpoint', 'endpoints')] : []),
    ...(tokens.length > 0 ? [counted(tokens.length, 'token', 'tokens')] : []),
    ...(runs.length > 0 ? [counted(runs.length, 'authorization', 'authorizations')] : []),
  ]
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="About this log"
      description="A copy of deliveries as they came, in one file. It loads nothing and sends nothing."
      wide
    >
      <div className="viewer-about">
        <Note tone={redaction.on ? 'info' : 'missing'}>
          <Shown text={cut(redaction.note, 1000)} />
        </Note>
        <dl className="viewer-list">
          <Fact label="Exported">{minuteOf(Date.parse(head.exportedAt))}</Fact>
          <Fact label="Written by">
            Tabscope <Shown text={cut(head.app, 60)} />
          </Fact>
          <Fact label="Chosen">
            <Shown text={cut(scopeWords(head.scope), 4200)} />
          </Fact>
          <Fact label="Deliveries">{counted(rows.length, 'delivery', 'deliveries')}</Fact>
          {first && last && (
            <Fact label="Received">
              {localTime(first.receivedAt)} to {localTime(last.receivedAt)}
            </Fact>
          )}
          {beside.length > 0 && <Fact label="Beside them">{beside.join(', ')}</Fact>}
          {redaction.on && (
            <Fact label="Redacted">
              {removed.length === 0
                ? 'Nothing was recognized that redaction replaces.'
                : removed
                    .map(([kind, values]) => `${count(values)} ${kind.replaceAll('_', ' ')}`)
                    .join(', ')}
            </Fact>
          )}
          {redaction.rules.length > 0 && (
            <Fact label="By own rules">
              <Shown text={cut(redaction.rules.join(', '), 4000)} />
            </Fact>
          )}
        </dl>
      </div>
    </Dialog>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="selectable">{children}</dd>
    </div>
  )
}
