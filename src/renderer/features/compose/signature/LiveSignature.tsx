import { CopyButton } from '../../../components/CopyButton.tsx'
import { VerdictMark } from '../../../components/Mark.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import { copyText } from '../../../platform/clipboard.ts'
import type { Session } from '../store.ts'

/** The signature as it would go out now, and what our own check says of it. */
export function LiveSignature({ session }: { readonly session: Session }) {
  const { preview, previewOf, content, previewError } = session
  if (preview === null) {
    return (
      <p className="signature-now dim" role="status">
        {previewError ?? 'Being computed'}
      </p>
    )
  }
  const { value, secretName, verdict } = preview.signature
  return (
    <div
      className="signature-now"
      data-testid="live-signature"
      data-stale={previewOf !== content || undefined}
    >
      <p className="signature-said">
        <VerdictMark verdict={verdict} />
        <span className="dim cut">
          {value === null
            ? 'None goes out.'
            : secretName === null
              ? 'As captured or written.'
              : null}
          {secretName !== null && (
            <>
              With <Shown text={cut(secretName, 80)} />
            </>
          )}
        </span>
      </p>
      {value !== null && (
        <p className="signature-value">
          <code className="mono selectable">
            <Shown text={cut(value, 400)} />
          </code>
          <CopyButton text={value} label="Copy signature" copy={copyText} />
        </p>
      )}
      {previewError !== null && <p className="field-error">{previewError}</p>}
    </div>
  )
}
