import type { Delivery, SignatureReport } from '#contract/models.ts'
import { CopyButton } from '#renderer/components/CopyButton.tsx'
import { VerdictMark } from '#renderer/components/Mark.tsx'
import { Note } from '#renderer/components/Note.tsx'
import { Shown } from '#renderer/components/Shown.tsx'
import { counted } from '#renderer/components/text/numbers.ts'
import { cut } from '#renderer/components/text/visible.ts'
import { copyText } from '#renderer/platform/clipboard.ts'
import { useCan } from '../../../shell/store.ts'
import { Received } from './Received.tsx'
import { TrySecret } from './TrySecret.tsx'

interface Props {
  readonly report: SignatureReport
  readonly ofLog: NonNullable<SignatureReport['ofLog']>
  readonly delivery: Delivery
}

/** What a log tells of a signature: what was found where the delivery was captured, and whether that can be checked again. */
export function AsCaptured({ report, ofLog, delivery }: Props) {
  const editing = useCan('editing')
  const { bodyRedacted, omitted } = ofLog
  const bodyHere = !bodyRedacted && omitted === null
  return (
    <>
      <Note tone={bodyHere ? 'info' : 'missing'}>
        {bodyRedacted ? (
          <>
            <b>The body was redacted when this log was exported.</b> The verdict is that of what was
            captured. It cannot be verified again.
          </>
        ) : omitted !== null ? (
          <>
            <b>The body is not in this log:</b> <Shown text={cut(omitted, 300)} /> The verdict is
            that of what was captured. It cannot be verified again.
          </>
        ) : (
          'The verdict is the one that was found where this was captured. The secrets of its endpoint are not in the log.'
        )}
      </Note>
      <dl className="plain-card captured-facts" aria-label="As captured">
        <dt>Verdict</dt>
        <dd>
          <VerdictMark verdict={report.verdict} />
          {delivery.secretName !== null && (
            <span className="dim">
              under the secret “
              <Shown text={cut(delivery.secretName, 80)} />”
            </span>
          )}
        </dd>
        {bodyHere && (
          <>
            <dt>SHA-256</dt>
            <dd>
              <code className="mono selectable">{delivery.sha256}</code>
              <CopyButton text={delivery.sha256} label="Copy SHA-256" copy={copyText} />
            </dd>
            <dt>Length</dt>
            <dd>{counted(report.bytes, 'byte', 'bytes')}</dd>
          </>
        )}
      </dl>
      <section className="plain-card signature-values" aria-label="Signatures">
        <Received report={report} />
      </section>
      {editing && bodyHere && report.received.length > 0 && <TrySecret id={delivery.id} />}
    </>
  )
}
