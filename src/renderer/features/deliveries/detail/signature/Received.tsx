import type { SignatureReport } from '#contract/models.ts'
import { CopyButton } from '#renderer/components/CopyButton.tsx'
import { Shown } from '#renderer/components/Shown.tsx'
import { cut } from '#renderer/components/text/visible.ts'
import { copyText } from '#renderer/platform/clipboard.ts'

/** The values that came under the header's name. */
export function Received({ report }: { readonly report: SignatureReport }) {
  return (
    <>
      <h3>
        Came in <code className="mono">{report.headerName}</code>
      </h3>
      {report.received.length === 0 ? (
        <p className="dim">The header did not come.</p>
      ) : (
        report.received.map((value, index) => (
          // Two values may be equal: the place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <Signature key={index} text={value} name="received" />
        ))
      )}
    </>
  )
}

export function Signature({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <p className="signature-line">
      <code className="mono selectable">
        {text === '' ? 'empty' : <Shown text={cut(text, 600)} />}
      </code>
      <CopyButton text={text} label={`Copy signature ${name}`} copy={copyText} />
    </p>
  )
}
